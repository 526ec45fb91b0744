//! What is solved, and what is compared with it.

use super::*;

#[test]
fn known_values_decide_how_a_run_ends() {
    // nothing is left to chance: one unit stays, the other goes as far as it can
    let rules = "ruleset \"March\"\nfactor tired: flag = no\nunit ours[2]: tired\n\
        test walk -> number { return choose steps from 0..(1 if tired else 3) }\n\
        test march -> number { record second = walk for ours[2]; return walk for ours[1] }\n";
    let scenario = "test = \"march\"\ntrials = 100\nvariants = { a = \"a.rules\" }\n\
        [policy]\nsteps = \"lowest\"\n\"steps for ours[2]\" = \"highest\"\n\
        [[expect]]\nvalue = \"P(0) = 1\"\nsource = \"x\"\n\
        [[expect]]\nsituation = { \"ours.tired\" = true }\nvalue = \"P(second is 1) = 1\"\nsource = \"x\"\n\
        [[expect]]\nvalue = \"mean(second) = 3\"\nsource = \"x\"\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rules"), rules).unwrap();
    std::fs::write(folder.path().join("a.toml"), scenario).unwrap();
    std::fs::write(folder.path().join("b.toml"), scenario.replace("= 3", "= 2")).unwrap();
    let met = run(folder.path(), &["run", "a.toml", "--out", "out"]);
    assert_eq!((met.code, met.err.as_str()), (Some(0), ""));
    assert!(met.out.contains("Expected values that are met: 3 of 3."), "{}", met.out);
    let results = std::fs::read_to_string(folder.path().join("out/results.csv")).unwrap();
    let rows: Vec<&str> = results.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "what is expected elsewhere is not in the grid: {results}");
    assert!(rows[0].starts_with("a,result,0,100,100,0,1,"), "{results}");
    assert!(rows[1].starts_with("a,second,3,100,100,0,1,"), "{results}");
    let missed = run(folder.path(), &["run", "b.toml", "--out", "out"]);
    assert_eq!((missed.code, missed.err.as_str()), (Some(4), ""));
    assert!(
        missed.out.contains("Missed: mean(second) = 2 in a: found exactly 3 (3.0000)."),
        "{}",
        missed.out
    );
}

#[test]
fn what_is_solved_is_printed_as_fractions_and_decides_what_is_expected() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["solve", "a.toml"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let page = in_one_line(&ended.out);
    for text in [
        "Fingers Bonus 0 a low 25.000000 % = 1/4 high 50.000000 % = 1/2",
        "Shown, of the trials that have it has it 25.000000 % = 1/4 5 50.000000 % = 1/2 6 50.000000 % = 1/2",
        "mean 5.500000 = 11/2 Unresolved 25.000000 % = 1/4",
        "Without the tool's patience: low 33.333333 % = 1/3 high 66.666667 % = 2/3",
        "rounds on average 1.000000 = 1",
        "Expected values that are met: 4 of 4. Decided exactly: all.",
    ] {
        assert!(page.contains(text), "{text}\n{}", ended.out);
    }
    assert!(ended.out.lines().all(|line| line.chars().count() <= 80) && !ended.out.contains('\u{1b}'));
}

#[test]
fn what_is_solved_can_be_had_as_a_table() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["solve", "a.toml", "--format", "csv"]);
    assert_eq!(ended.code, Some(0));
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], "variant,bonus,measure,outcome,exact,value,limit,present,unresolved");
    for line in
        ["a,0,result,high,1/2,0.5,2/3,,1/4", "a,1,shown,7,1/3,0.333333333,0.33333", "a,1,shown,mean,6,6,6"]
    {
        assert!(lines.iter().any(|one| one.starts_with(line)), "{line}\n{}", ended.out);
    }
    assert_eq!(lines.len(), 1 + (2 + 3) + (2 + 4));
    assert!(ended.err.contains("Expected values that are met: 4 of 4."), "{}", ended.err);
}

#[test]
fn a_wrong_value_is_missed_exactly_however_close_it_is() {
    let folder = fingers(&QUESTION.replace("(high) = 1/2", "(high) = 50.0001%"));
    let words: [&[&str]; 2] = [&["solve", "a.toml"], &["run", "a.toml", "--out", "out"]];
    for words in words {
        let ended = run(folder.path(), words);
        assert_eq!((ended.code, ended.err.as_str()), (Some(4), ""), "{words:?}");
        assert!(ended.out.contains("Expected values that are met: 3 of 4."), "{}", ended.out);
        let missed = "Missed: P(high) = 50.0001% in a: found exactly 1/2 (50.0 %). A rounded value";
        assert!(in_one_line(&ended.out).contains(missed), "{}", ended.out);
    }
    // in a sample so little cannot be seen
    let sampled = run(folder.path(), &["run", "a.toml", "--out", "out", "--budget", "0"]);
    assert_eq!(sampled.code, Some(0), "{}", sampled.out);
    assert!(!sampled.out.contains("xactly"), "{}", sampled.out);
}

#[test]
fn a_run_has_exact_columns_and_says_that_the_simulator_agrees() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["run", "a.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let agrees = "3 of 3 plans were solved exactly, and the simulator agrees with them: 20 counts compared";
    let text = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert!(in_one_line(&ended.out).contains(agrees), "{}", ended.out);
    assert!(text("summary.md").contains(agrees), "{}", text("summary.md"));
    let results = text("results.csv");
    let mut rows = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let row = rows.find(|row| row[..4] == ["a", "1", "shown", "7"]).unwrap();
    let [count, trials] = [row[4], row[5]].map(|number| number.parse::<f64>().unwrap());
    // of the trials that have it, which are three in eight, a third
    let z = (count - trials / 3.0) / (trials * 2.0 / 9.0).sqrt();
    assert_eq!(row[10], "1/3");
    assert!((row[11].parse::<f64>().unwrap() - z).abs() < 1e-6, "{row:?}");
    assert!(text("measures.csv").lines().nth(1).unwrap().ends_with(",11/2"), "{}", text("measures.csv"));
    run(folder.path(), &["run", "a.toml", "--out", "out", "--budget", "0", "--quiet"]);
    assert!(text("results.csv").lines().skip(1).all(|line| line.ends_with(",,")), "{}", text("results.csv"));
}

#[test]
fn simulator_and_arithmetic_are_compared() {
    let folder = fingers(QUESTION);
    let ended = run(folder.path(), &["verify", "a.toml", "--trials", "5000", "--seed", "1"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    let page = in_one_line(&ended.out);
    // of the three plans: unresolved, whether it is shown, high; low in two of them; two, three and four numbers
    for text in [
        "Solved exactly: 3 of 3 plans",
        "Compared: 20 probabilities with 5,000 trials of each plan (seed 1).",
        "Largest gap between dice and arithmetic: ",
        "The simulator agrees with arithmetic.",
        "in fewer than 1 of 1,000 verifications",
    ] {
        assert!(page.contains(text), "{text}\n{}", ended.out);
    }
}

#[test]
fn what_is_over_the_budget_is_listed_with_what_would_help() {
    let folder = fingers(QUESTION);
    for (command, listed) in [("solve", "more than 1 state"), ("verify", "a: bonus 0 a: bonus 1")] {
        let ended = run(folder.path(), &[command, "a.toml", "--budget", "1"]);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{command}");
        let page = in_one_line(&ended.out);
        assert!(page.contains("Not solved: 2 plans, more than 1 state."), "{}", ended.out);
        assert!(page.contains(listed) && page.contains("--budget 10 allows more"), "{}", ended.out);
    }
    let solved = in_one_line(&run(folder.path(), &["solve", "a.toml", "--budget", "1"]).out);
    assert_eq!(solved.matches(" a not solved: more than 1 state ").count(), 2, "{solved}");
    assert!(solved.contains("Not decided: P(high) = 1/2 in a: not solved,"), "{solved}");
    assert!(!solved.contains("are met"), "{solved}");
    let csv = run(folder.path(), &["solve", "a.toml", "--budget", "1", "--format", "csv"]);
    assert_eq!(csv.out.lines().count(), 1, "{}", csv.out);
    assert!(csv.err.contains("  a: bonus 0\n  a: bonus 1\n"), "{}", csv.err);
}

#[test]
fn players_with_aims_play_as_well_as_can_be() {
    let rules = "ruleset \"Stay\"\ntest stay -> number {\n    let roll = d6\n    let way = choose way {\n\
        \x20       stay: roll\n        leave: 3\n    }\n    return way\n}\n";
    let scenario = "test = \"stay\"\ntrials = 20_000\nvariants = { a = \"a.rules\" }\n\
        [policy]\nway = \"maximise mean(result)\"\n\
        [[expect]]\nvalue = \"mean(result) = 4\"\nsource = \"three times 3, then 4, 5, 6\"\n";
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.rules", rules);
    write("a.toml", scenario);
    let solved = run(folder.path(), &["solve", "a.toml"]);
    assert_eq!((solved.code, solved.err.as_str()), (Some(0), ""), "{}", solved.out);
    for line in ["when roll 1..2: leave", "when roll 3..6: stay"] {
        assert!(solved.out.contains(line), "{}", solved.out);
    }
    for words in [&["verify", "a.toml"][..], &["run", "a.toml", "--out", "out"], &["roll", "a.toml"]] {
        assert_eq!(run(folder.path(), words).code, Some(0), "{words:?}");
    }
    // without a policy only a range is known: 15/6 if he always takes the lower, 4 if the higher
    write("open.toml", scenario.split("[policy]").next().unwrap());
    let open = in_one_line(&run(folder.path(), &["solve", "open.toml"]).out);
    assert!(open.contains("mean 2.500000 = 5/2 to 4.000000 = 4"), "{open}");
    assert_eq!(run(folder.path(), &["run", "open.toml"]).code, Some(3));
}

#[test]
fn an_aim_that_looks_at_what_has_no_name_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "ruleset \"Blind\"\ntest t -> number { return d6 + (choose n from 0..2) }\n";
    let scenario = "test = \"t\"\ntrials = 100\nvariants = { a = \"a.rules\" }\n\
        [policy]\nn = \"maximise P(4)\"\n";
    std::fs::write(folder.path().join("a.rules"), rules).unwrap();
    std::fs::write(folder.path().join("a.toml"), scenario).unwrap();
    for words in [&["solve", "a.toml"][..], &["run", "a.toml"], &["roll", "a.toml"]] {
        let ended = run(folder.path(), words);
        let told = in_one_line(&ended.err);
        assert!(told.contains("a.toml:5:5") && told.contains("a name with `let`"), "{told}");
        assert_ne!(ended.code, Some(0));
    }
}
