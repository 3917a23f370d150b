import { type Config, render, toCloudInit } from "../../ignition";
import type { DigitalOcean } from "./resolve";

/** Most bytes of user-data that DigitalOcean takes. */
const maxBytes = 64 * 1024;

/** A config in the form that the image reads. Throws if DigitalOcean would not take it. */
export function userData(node: string, os: DigitalOcean["os"], config: Config): string {
    const text = os === "cloud-init" ? toCloudInit(config) : render(config);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
        throw new Error(
            `the user-data of ${node}, its snippets among it, must be at most ${maxBytes} bytes, got ${bytes}`,
        );
    }
    return text;
}
