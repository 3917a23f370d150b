import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { describeError } from "../../clients/kubernetes/api-error";
import { runAgent } from "../harness/main";
import { cleanUp, takeBack } from "./clean-up";
import type { CleanUpRequest } from "./request";

/** The output from when the resource was created identifies it; Pulumi's provider passes it on. */
const { PULUMI_COMMAND_STDOUT = "" } = process.env;

async function main(task?: string): Promise<void> {
    const request: CleanUpRequest = JSON.parse(await text(process.stdin));
    if (task === "delete") {
        const print = (line: string) => console.log(`clean-up: ${line}`);
        return cleanUp({ ...request, id: PULUMI_COMMAND_STDOUT.trim(), print });
    }
    // What an abandoned destroy has left can wait: the cluster works as before.
    await takeBack(request).catch((error) => console.error(`clean-up: ${describeError(error)}`));
    console.log(randomUUID());
}

runAgent(main, {
    onSignal: "the next run resumes here",
    explained: [Error],
    explain: (error) => (error instanceof SyntaxError ? "standard input must be a request" : error.message),
});
