import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { owner } from "./simulated-aws";

/**
 * Variables of somebody who has signed on as the account's owner by AWS' CLI, as far as that is asked.
 *
 * @param folder - for the CLI
 * @param url - of the account's APIs
 */
export function signedOn(folder: string, url: string): Record<string, string> {
    const credentials = { Version: 1, AccessKeyId: owner.accessKeyId, SecretAccessKey: owner.secretAccessKey };
    writeFileSync(join(folder, "aws"), `#!/bin/sh\necho '${JSON.stringify(credentials)}'\n`, { mode: 0o700 });
    return {
        AWS_ENDPOINT_URL: url,
        // The simulated provider takes no keys, so that nobody gives it real ones.
        AWS_ACCESS_KEY_ID: "",
        PATH: [folder, process.env.PATH].join(delimiter),
    };
}
