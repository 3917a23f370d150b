import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { owner } from "./simulated-aws";

/** A folder with AWS' CLI as far as it is asked, of somebody who has signed on as the account's owner. */
export function signedOn(folder: string): string {
    const credentials = { Version: 1, AccessKeyId: owner.accessKeyId, SecretAccessKey: owner.secretAccessKey };
    writeFileSync(join(folder, "aws"), `#!/bin/sh\necho '${JSON.stringify(credentials)}'\n`, { mode: 0o700 });
    return folder;
}
