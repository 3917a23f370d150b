import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { describeError } from "../../clients/kubernetes/api-error";
import { endOnSignals } from "../harness/signals";
import { cleanUp, takeBack } from "./clean-up";
import type { CleanUpRequest } from "./request";

endOnSignals("the next run goes on from here");

/** What was printed when the resource was made is what it is known by, as Pulumi's provider hands it on. */
const { PULUMI_COMMAND_STDOUT = "" } = process.env;

async function run(task: string | undefined, request: CleanUpRequest): Promise<void> {
    if (task === "delete") {
        const print = (line: string) => console.log(`clean-up: ${line}`);
        return cleanUp({ ...request, id: PULUMI_COMMAND_STDOUT.trim(), print });
    }
    // What a destroy that was given up has left may wait: the cluster is as good as it was.
    await takeBack(request).catch((error) => console.error(`clean-up: ${describeError(error)}`));
    console.log(randomUUID());
}

text(process.stdin)
    .then((request) => run(process.argv[2], JSON.parse(request)))
    .then(
        () => process.exit(0),
        (error: Error) => {
            console.error(error instanceof SyntaxError ? "standard input must be a request" : error.message);
            process.exit(1);
        },
    );
