-- The calibrations, oldest first, each with its document where its name is asked
-- for; no name asks for all, and the last is the newest.
SELECT
    name, digest, alpha, budget_levels, reference, tasks, created_at,
    CASE WHEN $1 IN ('', name) THEN document END AS document
FROM calibrations
ORDER BY created_at, name
