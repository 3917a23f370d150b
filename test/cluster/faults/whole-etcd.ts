import assert from "node:assert/strict";
import type { Scene } from "./fault";

const pki = "/etc/kubernetes/pki/etcd";

/** Every controller has a ready voting member, and no member raises an alarm. */
export async function etcdIsWhole({ cluster, controllers }: Scene): Promise<void> {
    const asked = (machine: string, path: string, body: object) =>
        cluster.exec(
            machine,
            `curl -sS --fail --max-time 5 --cacert ${pki}/ca.crt --cert ${pki}/member.crt --key ${pki}/member.key ` +
                `-d '${JSON.stringify(body)}' https://127.0.0.1:2379/v3/${path}`,
        );
    for (const controller of controllers) {
        interface Members {
            readonly members: readonly { readonly name?: string; readonly isLearner?: boolean }[];
        }
        const { members }: Members = JSON.parse(await asked(controller, "cluster/member/list", { linearizable: true }));
        const voters = members.filter(({ isLearner }) => !isLearner).map(({ name }) => name);
        assert.deepEqual(voters.sort(), [...controllers].sort(), `members according to ${controller}`);
        const { alarms } = JSON.parse(await asked(controller, "maintenance/alarm", { action: "GET" }));
        assert.deepEqual(alarms ?? [], [], "etcd's alarms");
        await cluster.exec(controller, "curl -sS --fail --max-time 5 http://127.0.0.1:2381/readyz");
    }
}
