import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { accountClient } from "../common/account-client";
import { EtcdClient } from "../common/etcd-client";
import type { KeeperPlan } from "./plan";
import { publish } from "./publish";
import { Snapshots } from "./snapshots";

/** What the verbs that look after a running cluster work with. */
export function scene(plan: KeeperPlan) {
    const read = (name: string) => readFileSync(join(plan.pki, name), "utf8");
    const client = new EtcdClient([plan.endpoint], () => ({
        ca: read("ca.crt"),
        cert: read("member.crt"),
        key: read("member.key"),
    }));
    const api = accountClient(plan.apiServer, "tradewind-etcd-keeper");
    const log = (line: string) => console.log(line);
    // The pod is on the host's network, and so has the node's name.
    const snapshots = new Snapshots({ plan, client, node: hostname(), log });
    return {
        client,
        snapshots,
        log,
        publish: (part: "members" | "snapshot", status: object) => publish(api, part, status),
    };
}
