import { mkdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../clients/kubernetes/api-client";
import type { ConfigMap, With } from "../../clients/kubernetes/objects";
import { WatchedList } from "../../clients/kubernetes/watched-list";
import { ownPod, runAgent } from "../harness/main";
import { readPlan } from "../harness/plan";
import { Listeners } from "../metrics-proxy/listeners";
import { UpgradeGuard } from "./guard";
import { Measurements } from "./measure";
import { planSchema } from "./plan";
import { QueueReader } from "./queues";
import { guardedList } from "./reports";
import { WayIn } from "./way-in";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

async function main(path = ""): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { nodeName: node, ownUid: pod } = ownPod();
    mkdirSync(plan.directories.state, { recursive: true, mode: 0o700 });
    const read = (name: string) => readFileSync(`${account}/${name}`, "utf8");
    const client = (url: string, servername?: string) =>
        new ApiClient(
            url,
            () => ({ ca: read("ca.crt"), token: read("token"), ...(servername && { servername }) }),
            "tradewind-upgrade-guard",
        );
    const api = client(plan.apiServer);
    const queues = new QueueReader(plan.queues, {
        listeners: new Listeners(),
        // Their certificates are their own; the kernel reported whose processes they are.
        clientAt: (address, port) =>
            new ApiClient(`https://${address}:${port}`, () => ({ token: read("token"), rejectUnauthorized: false })),
        log: console.log,
    });
    const guard = new UpgradeGuard(plan, {
        api,
        watched: new WatchedList<With<ConfigMap, "uid">>(api, guardedList),
        apiAt: (address) => client(`https://${address}:${plan.apiServerPort}`, plan.apiServerName),
        measurements: new Measurements(api, node, queues, () => performance.now()),
        wayIn: new WayIn(plan.directories),
        node,
        pod,
    });
    for (;;) await sleep(await guard.reconcile());
}

runAgent(main, { onSignal: "the next start goes on from its state and the record of the upgrade" });
