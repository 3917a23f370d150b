import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { ApiClient } from "../../agents/common/api-client";
import { tar } from "../../machines/tar";
import { credentialsOf } from "../cluster-access";
import { writePrivate } from "../private-file";
import { type ReachedCluster, reachCluster } from "../reach-cluster";
import { collect } from "../status/collect";
import { judge } from "../status/judge";
import { renderJson } from "../status/render/json";
import { noColour } from "../status/render/style";
import { renderText } from "../status/render/text";
import { askApi } from "../support/ask-api";
import { Gathered } from "../support/gathered";
import { addMachines } from "../support/machines";
import { bundlePath, parseSupportOptions, SUPPORT_HELP } from "../support/options";
import { programsOf, versions } from "../support/versions";

export { SUPPORT_HELP as help } from "../support/options";

/** `tradewind support-bundle`: 0 when the bundle is written, whatever could not be had. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseSupportOptions(args);
    if (options.isHelp) {
        process.stdout.write(SUPPORT_HELP);
        return 0;
    }
    const reached = await reachCluster(options);
    const { name, connection } = reached.access;
    const found = new Gathered();
    // npm runs scripts in the checkout, and says where it was called.
    const path = bundlePath(process.env.INIT_CWD ?? process.cwd(), name, new Date(), options.output);
    console.log(`==> [1/4] ${name}: what tradewind status says`);
    await addStatus(reached, found);
    console.log("==> [2/4] the API: objects and logs of kube-system");
    if (connection) await askApi(new ApiClient(connection.server, () => credentialsOf(connection)), found);
    else found.miss("api", "there is no kubeconfig yet");
    console.log("==> [3/4] machines");
    await addMachines(reached, found);
    console.log("==> [4/4] versions");
    const told = await versions(programsOf(reached.access.local !== undefined));
    found.add("versions.json", `${JSON.stringify(told, undefined, 2)}\n`);
    const entries = found.entries(basename(path).replace(/\.(tar\.gz|tgz)$/, ""));
    writePrivate(path, gzipSync(tar(entries)));
    for (const line of found.missed.slice(0, 5)) console.log(`    could not be had: ${line.split("\n")[0]}`);
    console.log(`\n${path}: ${entries.length} files. Look through it before you send it to someone.`);
    return 0;
}

async function addStatus({ access, machines }: ReachedCluster, found: Gathered): Promise<void> {
    const cloud = access.local === undefined ? machines : undefined;
    const facts = await collect({ cluster: access, cloud, controllers: [] });
    const verdict = judge(facts);
    found.add("status.txt", renderText(facts, verdict, noColour));
    found.add("status.json", `${renderJson(facts, verdict, 2)}\n`);
}
