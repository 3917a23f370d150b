import { appendFileSync } from "node:fs";
import { clusterNetworks } from "../../../machines";
import { placeOf, secretOf } from "./place";
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
            // The account's folder was removed, and the services will end soon.
        }
    };
    log(`started: process ${process.pid}`);
    await serve(cloud, cloud.account(path), { socket: place.socket, secret: secretOf(place), log });
    await work(cloud, path, { networksThere: clusterNetworks, log });
    log("ended: no longer needed");
}

const [name, path] = process.argv.slice(2);
// The process that started it may end, with its terminal.
process.on("SIGHUP", () => undefined);
main(require(`../${name}/services`).services as CloudServices<unknown>, path!).then(
    () => process.exit(0),
    (error: Error) => {
        console.error(error);
        process.exit(1);
    },
);
