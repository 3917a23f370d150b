import { endOnSignals } from "../../harness/main";
import { awaitName } from "./await-name";

/** A load balancer is ready within ten minutes, or Pulumi's provider gives up. */
const mostMilliseconds = 15 * 60_000;

endOnSignals("the next start tries again");

const [name = "", domain = ""] = process.argv.slice(2);
awaitName({ name, domain }, { deadline: performance.now() + mostMilliseconds, report: console.log }).then(
    (told) => console.log(told),
    // The kubelet then retries as if the name existed.
    (error: Error) => console.log(error.message),
);
