-- One row a stratum of every calibration. Key: calibration, stratum.
--
-- calibration: its name
-- stratum: Easy, Medium or Hard
-- tasks: reference tasks in the stratum
-- eta_usd: above this cost, a run without reward is an expensive failure; NULL = none is
SELECT calibration, stratum, tasks, eta_usd
FROM calibration_thresholds
