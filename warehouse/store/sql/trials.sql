-- What experiments found: {trials} and {trial_questions} are relations of their records.
CREATE VIEW trials AS
SELECT * EXCLUDE (measures, questions, judged), judged.measure AS measure, judged.mean AS mean, judged.low AS low,
    judged.high AS high, judged.questions AS questions
FROM (SELECT *, unnest(measures) AS judged FROM {trials});

CREATE VIEW trial_questions AS
SELECT * REPLACE (map_from_entries(marks) AS marks)
FROM {trial_questions};

COMMENT ON VIEW trials IS 'The results of each configuration of an experiment, a row a measure: mean and 95 % interval, latency in ms, sizes, and what its ingest took.';
COMMENT ON VIEW trial_questions IS 'Each question of each trial: marks by measure (marks[''nDCG@10'']), the rank of the first hit that answers, the place of the answer, and what was found.';
