import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { endOnSignals } from "../harness/main";
import { send } from "./send";

endOnSignals("the next run resumes here");

/** Overrides the timeout, in seconds. */
const { TRADEWIND_BOOTSTRAP_SECONDS: seconds } = process.env;

text(process.stdin)
    .then((packed) => JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()))
    .then((delivery) => ({ ...delivery, ...(Number(seconds) > 0 && { timeoutSeconds: Number(seconds) }) }))
    .then((delivery) => send(delivery, (line) => console.log(`bootstrap: ${line}`)))
    .then(
        () => process.exit(0),
        (error: Error) => {
            console.error(error.message);
            process.exit(1);
        },
    );
