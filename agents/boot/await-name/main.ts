import { endOnSignals } from "../../harness/signals";
import { awaitName } from "./await-name";

/** A load balancer comes within ten minutes, or Pulumi's provider gives up. */
const mostMilliseconds = 15 * 60_000;

endOnSignals("the next start asks again");

const [name = "", domain = ""] = process.argv.slice(2);
awaitName({ name, domain }, { deadline: performance.now() + mostMilliseconds, report: console.log }).then(
    (told) => console.log(told),
    // Who waits for it asks then as if it were there, and goes on asking.
    (error: Error) => console.log(error.message),
);
