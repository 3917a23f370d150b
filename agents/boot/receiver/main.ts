import { InvalidPlan } from "../../harness/plan";
import { endOnSignals } from "../../harness/signals";
import { readPlan } from "./plan";
import { receive } from "./receive";

endOnSignals("the next start resumes here");

receive(readPlan(process.argv[2] ?? "")).then(
    (result) => {
        console.log(result);
        process.exit(0);
    },
    (error: Error) => {
        console.error(error instanceof InvalidPlan ? error.message : error);
        process.exit(1);
    },
);
