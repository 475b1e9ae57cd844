-- What the runs of a database rest on, as one text: which sources were loaded
-- and when, the prices and the names in force.
SELECT coalesce(string_agg(line, chr(10) ORDER BY line), '')
FROM (
    SELECT 'load ' || CAST(l AS VARCHAR) AS line FROM loads AS l
    UNION ALL
    SELECT 'price ' || CAST(p AS VARCHAR) FROM prices AS p
    UNION ALL
    SELECT 'price alias ' || CAST(a AS VARCHAR) FROM price_aliases AS a
    UNION ALL
    SELECT 'alias ' || CAST(a AS VARCHAR) FROM aliases AS a
)
