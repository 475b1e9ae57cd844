-- One row a budget level of every calibration. Key: calibration, stratum, level.
--
-- calibration: its name
-- stratum: Easy, Medium or Hard
-- level: 1 = the lowest
-- budget_usd: US dollars; equal levels stay
SELECT calibration, stratum, level, budget_usd
FROM calibration_budgets
