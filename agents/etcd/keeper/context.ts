import { hostname } from "node:os";
import { EtcdClient } from "../../../clients/etcd/client";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { memberCredentials } from "../member/files";
import type { KeeperPlan } from "./plan";
import { Snapshots } from "./snapshots";
import { publish } from "./status";

/** What the verbs that manage a running cluster work with. */
export function scene(plan: KeeperPlan) {
    const client = new EtcdClient([plan.endpoint], memberCredentials(plan.pki));
    const api = accountClient(plan.apiServer, "tradewind-etcd-keeper");
    const log = (line: string) => console.log(line);
    // The pod uses the host network, so its hostname is the node's name.
    const snapshots = new Snapshots({ plan, client, node: hostname(), log });
    return {
        client,
        snapshots,
        log,
        publish: (part: "members" | "snapshot", status: object) => publish(api, part, status),
    };
}
