import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { owner } from "./simulated-aws";

/**
 * Environment of a user who has signed in as the account's owner with AWS' CLI, as far as needed.
 *
 * @param folder - for the CLI
 * @param url - of the account's APIs
 */
export function signedOn(folder: string, url: string): Record<string, string> {
    const credentials = { Version: 1, AccessKeyId: owner.accessKeyId, SecretAccessKey: owner.secretAccessKey };
    writeFileSync(join(folder, "aws"), `#!/bin/sh\necho '${JSON.stringify(credentials)}'\n`, { mode: 0o700 });
    return {
        AWS_ENDPOINT_URL: url,
        // The simulated provider takes no keys, so that no real ones are used by mistake.
        AWS_ACCESS_KEY_ID: "",
        PATH: [folder, process.env.PATH].join(delimiter),
    };
}
