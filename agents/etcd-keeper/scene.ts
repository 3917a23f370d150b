import { hostname } from "node:os";
import { accountClient } from "../common/account-client";
import { EtcdClient } from "../common/etcd-client";
import { memberCredentials } from "../common/member-credentials";
import type { KeeperPlan } from "./plan";
import { publish } from "./publish";
import { Snapshots } from "./snapshots";

/** What the verbs that look after a running cluster work with. */
export function scene(plan: KeeperPlan) {
    const client = new EtcdClient([plan.endpoint], memberCredentials(plan.pki));
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
