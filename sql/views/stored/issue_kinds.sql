-- One row a kind of finding of quality_issues. Key: kind.
--
-- kind: its name
-- severity: error (the score is wrong without a sound), warning (it may be, or scoring stops) or note
-- says: what was found, behind "N of M"
-- effect: what it does to the score
SELECT kind, severity, says, effect
FROM (VALUES
    ('zero_cost_pass', 'error', 'runs that passed cost nothing, by their source', 'a free pass is within every budget: AUBQC is too high, cost per pass too low, and the Pareto front bends'),
    ('zero_cost_tokens', 'error', 'runs with tokens cost nothing, by their source, and did not pass', 'a free failure is never an expensive one: EFR and total cost are too low'),
    ('zero_cost', 'warning', 'runs without tokens cost nothing, by their source, and did not pass', 'a free failure is never an expensive one: EFR and total cost are too low'),
    ('cached_above_input', 'error', 'runs have more cached than input tokens', 'the source counts cached tokens apart: input and total are too low, and such a run is not priced'),
    ('reward_without_activity', 'error', 'runs with a reward have no steps and no tokens', 'an agent that did nothing is paid: TQ and AUBQC are too high'),
    ('zero_without_activity', 'warning', 'runs with reward 0 have no steps and no tokens', 'a failure of the infrastructure counts as one of the agent: TQ is too low'),
    ('missing_reward_agent', 'warning', 'runs have no reward, by the agent''s fault', 'scoring stops until --missing-reward says zero or exclude; zero is fair here'),
    ('missing_reward_grader', 'warning', 'runs have no reward, by the grader''s fault', 'scoring stops until --missing-reward says zero or exclude; run them again'),
    ('missing_reward_environment', 'warning', 'runs have no reward, by the environment''s fault', 'scoring stops until --missing-reward says zero or exclude; run them again'),
    ('missing_reward_unknown', 'warning', 'runs have no reward, and their status does not say whose fault it is', 'scoring stops until --missing-reward says zero or exclude'),
    ('missing_cost', 'warning', 'runs have no cost', 'scoring stops until amdb prices load prices them from tokens, or --missing-cost says exclude or unaffordable'),
    ('cost_not_priced', 'warning', 'reported costs are more than twice or less than half of what their tokens cost', 'budgets and thresholds rest on the reported cost'),
    ('cost_outlier', 'warning', 'costs are far out of the pattern of their model (with tokens) or configuration (without)', 'budgets are quantiles and hardly move; total cost, cost per pass and the run''s own budget level do'),
    ('tokens_per_step', 'warning', 'runs have more than 2,000,000 tokens a step', 'effort rests on tokens and steps'),
    ('tokens_per_step_outlier', 'note', 'runs have tokens per step far out of their configuration''s pattern', 'effort rests on tokens and steps; it is a rank of medians and hardly moves'),
    ('steps_without_tokens', 'warning', 'runs have steps without tokens, or tokens without steps', 'effort rests on tokens and steps'),
    ('total_not_sum', 'warning', 'totals are not input + output tokens', 'effort and tokens per pass rest on the total'),
    ('scored_with_exception', 'note', 'scored runs ended with an exception', 'none: they count with the reward that they have'),
    ('clock_order', 'warning', 'runs finished before they started', 'none on the score; a price by date may be another'),
    ('clock_future', 'warning', 'runs started after they were loaded', 'none on the score; a price by date may be another'),
    ('duplicate_run', 'warning', 'runs equal another attempt in every figure', 'the same result counts twice in its cell'),
    ('reward_pattern', 'warning', 'rewards are fractions where nearly all others are 0 or 1', 'TQ mixes two scales; --reward-range declares one'),
    ('constant_reward', 'warning', 'rewards are all the same', 'no task tells anything about the configuration'),
    ('constant_cost', 'warning', 'reported costs are all the same', 'budgets do not tell its runs apart; a cost that never varies was seldom measured'),
    ('constant_tokens', 'warning', 'token totals are all the same', 'effort does not tell tasks apart by its runs'),
    ('constant_steps', 'warning', 'step counts are all the same', 'effort does not tell tasks apart by its runs'),
    ('absent_column', 'note', 'columns of a run are empty throughout', 'what needs them cannot be computed'),
    ('coverage_hole', 'warning', 'tasks were not run under the description original', 'the configuration is not ranked on a task set that holds them'),
    ('cli_versions', 'warning', 'versions of the agent under one configuration', 'the score is of a mixture'),
    ('unknown_name', 'warning', 'names a router or nothing in particular', 'the configuration is not one model'),
    ('double_model', 'warning', 'runs of a model that is spelled like another', 'two rows on the leaderboard, each with holes, where it is one; amdb alias model joins them'),
    ('double_cli', 'warning', 'runs of an agent that is spelled like another', 'two rows on the leaderboard, each with holes, where it is one; amdb alias cli joins them'),
    ('double_task', 'warning', 'runs of a task that is spelled like another', 'every configuration lacks one of the two; amdb alias task joins them'),
    ('planned', 'warning', 'planned trials have no result', 'they are no runs: neither in numerator nor in denominator'),
    ('load_note', 'note', 'remarks of a load', 'none; amdb sql "SELECT * FROM load_notes" lists them'),
    ('rejected', 'warning', 'rows were rejected at load', 'they are no runs; amdb sql "SELECT * FROM rejects" lists them'),
    ('reward_range', 'note', 'rewards were rescaled from a declared range', 'rewards are on the declared scale')
) AS k(kind, severity, says, effect)
