import { appendFileSync } from "node:fs";
import { clusterNetworks } from "../../../machines";
import { clouds } from "./clouds";
import { type CloudName, placeOf, secretOf } from "./place";
import { serve } from "./serve";
import type { CloudServices } from "./service";
import { work } from "./work";

/** The services of an account: `main.ts CLOUD ACCOUNT-FILE`, run by `start.ts` under their lock. */
async function main(cloud: CloudServices<unknown>, path: string): Promise<void> {
    const place = placeOf(path);
    const log = (line: string) => {
        try {
            appendFileSync(place.log, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
        } catch {
            // The account's folder is gone, and soon so are its services.
        }
    };
    log(`started: process ${process.pid}`);
    await serve(cloud, cloud.account(path), { socket: place.socket, secret: secretOf(place), log });
    await work(cloud, path, { networksThere: clusterNetworks, log });
    log("ended: nobody needs them any more");
}

const [name, path] = process.argv.slice(2);
// Who gave the order may go, with the terminal.
process.on("SIGHUP", () => undefined);
main(clouds[name as CloudName] as unknown as CloudServices<unknown>, path!).then(
    () => process.exit(0),
    (error: Error) => {
        console.error(error);
        process.exit(1);
    },
);
