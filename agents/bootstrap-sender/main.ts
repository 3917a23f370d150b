import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { runAgent } from "../harness/main";
import type { Delivery } from "./delivery";
import { send } from "./send";

/** Overrides the timeout, in seconds. */
const { TRADEWIND_BOOTSTRAP_SECONDS: seconds } = process.env;

async function main(): Promise<void> {
    const packed = Buffer.from(await text(process.stdin), "base64");
    const delivery: Delivery = JSON.parse(gunzipSync(packed).toString());
    const timeoutSeconds = Number(seconds) > 0 ? Number(seconds) : delivery.timeoutSeconds;
    await send({ ...delivery, timeoutSeconds }, (line) => console.log(`bootstrap: ${line}`));
}

runAgent(main, { onSignal: "the next run resumes here", explained: [Error] });
