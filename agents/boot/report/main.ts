import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { readPlan } from "./plan";
import { report } from "./report";

endOnSignals("the next start resumes here");

report(readPlan(process.argv[2] ?? "")).then(
    (result) => {
        console.log(result);
        process.exit(0);
    },
    (error: Error) => {
        console.error(error instanceof InvalidPlan ? error.message : error);
        process.exit(1);
    },
);
