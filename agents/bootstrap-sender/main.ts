import { text } from "node:stream/consumers";
import { describeError } from "../common/api-error";
import { endOnSignals } from "../common/signals";
import { send } from "./send";

endOnSignals("the next run goes on from here");

text(process.stdin)
    .then((input) => send(JSON.parse(input), (line) => console.log(`bootstrap: ${line}`)))
    .then(
        () => process.exit(0),
        (error: Error) => {
            console.error(describeError(error));
            process.exit(1);
        },
    );
