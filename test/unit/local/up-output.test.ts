import assert from "node:assert/strict";
import { UpOutput } from "../../../local/up-output";

/** Output of Pulumi 3.245 on a pipe. */
const LINES = `Updating (local):

@ updating....
 +  pulumi:pulumi:Stack tradewind-local creating (0s) 
 +  tradewind:index:LocalCluster local creating (0s) 
@ updating.....
 +  tls:index:PrivateKey local-etcd-ca creating (0s) 
 +  tls:index:PrivateKey local-etcd-ca created (0.10s) 
 +  command:local:Command local-controller-0 creating (0s) 
 +  command:local:Command local-controller-0 created (2s) 
 +  command:local:Command local-bootstrap creating (2s) 
 +  command:local:Command local-bootstrap creating (2s) bootstrap: wait-for-api start
 +  command:local:Command local-bootstrap creating (3s) bootstrap: wait-for-api start
 +  command:local:Command local-bootstrap creating (3s) bootstrap: wait-for-api done in 1.2s: it answers
 +  command:local:Command local-bootstrap created (4s) bootstrap: wait-for-api done in 1.2s: it answers
 ~  kubernetes:apps/v1:DaemonSet local/kube-system/kube-scheduler updating (0s) [diff: ~spec]; waiting for rollout
 ~  kubernetes:apps/v1:DaemonSet local/kube-system/kube-scheduler updated (5s) [diff: ~spec]; 
 -- kubernetes:core/v1:Secret local/bootstrap-token deleting original (0s) [diff: ~data]; 
 -- kubernetes:core/v1:Secret local/bootstrap-token deleted original (0.17s) [diff: ~data]; 
 +  tradewind:index:LocalCluster local created (4s) 
 +  pulumi:pulumi:Stack tradewind-local created (9s) 
Diagnostics:
  command:local:Command (local-bootstrap):
    bootstrap: wait-for-api done in 1.2s: it answers

Outputs:
    apiUrl: "https://10.117.4.3:6443"

Resources:
    + 5 created
    ~ 1 updated
    +-1 replaced
    7 changes. 30 unchanged

Duration: 9s
`.split("\n");

const start = Date.UTC(2026, 10, 22, 9);
const at = (seconds: number) => new Date(start + 1000 * seconds).toISOString();

/** Each line arrives a second after the previous one. */
function taken(lines: readonly string[]): { output: UpOutput; shown: string[] } {
    let now = start;
    const output = new UpOutput(() => now);
    const shown = lines.flatMap((line) => {
        now += 1000;
        return output.take(line) ?? [];
    });
    return { output, shown };
}

describe("the output of pulumi up", () => {
    it("is shown as completed operations, messages of commands, and the summary", () => {
        assert.deepEqual(taken(LINES).shown, [
            "+ PrivateKey local-etcd-ca created (0.10s)",
            "+ Command local-controller-0 created (2s)",
            "  local-bootstrap: bootstrap: wait-for-api start",
            "  local-bootstrap: bootstrap: wait-for-api done in 1.2s: it answers",
            "+ Command local-bootstrap created (4s)",
            "  local/kube-system/kube-scheduler: waiting for rollout",
            "~ DaemonSet local/kube-system/kube-scheduler updated (5s) [diff: ~spec]",
            "-- Secret local/bootstrap-token deleted original (0.17s) [diff: ~data]",
            "+ LocalCluster local created (4s)",
            "+ 5 created",
            "~ 1 updated",
            "+-1 replaced",
            "7 changes. 30 unchanged",
        ]);
    });

    it("contains the time of each machine and each bootstrap step once", () => {
        assert.deepEqual(taken(LINES).output.timings, [
            { stage: "local-controller-0", seconds: 2, at: at(9) },
            { stage: "bootstrap: wait-for-api", seconds: 1.2, at: at(12.8) },
            { stage: "local-bootstrap", seconds: 4, at: at(11) },
        ]);
    });

    it("contains each operation, with the observed start and end", () => {
        assert.deepEqual(taken(LINES).output.operations, [
            { name: "local-etcd-ca", kind: "PrivateKey", verb: "created", at: at(7), seconds: 1 },
            { name: "local-controller-0", kind: "Command", verb: "created", at: at(9), seconds: 1 },
            { name: "local-bootstrap", kind: "Command", verb: "created", at: at(11), seconds: 4 },
            { name: "local/kube-system/kube-scheduler", kind: "DaemonSet", verb: "updated", at: at(16), seconds: 1 },
            { name: "local/bootstrap-token", kind: "Secret", verb: "deleted original", at: at(18), seconds: 1 },
        ]);
    });

    it("contains the number of changes", () => {
        assert.equal(taken(LINES).output.changes, 7);
        assert.equal(taken(["Resources:", "    96 unchanged", ""]).output.changes, 0);
    });

    it("contains running operations", () => {
        assert.deepEqual([...taken(LINES.slice(0, 12)).output.running], ["local", "local-bootstrap"]);
    });

    it("keeps diagnostics for a failure, without lines shown before", () => {
        const { output } = taken([
            " +  command:local:Command a creating (1s) said before",
            "Diagnostics:",
            "  command:local:Command (a):",
            "    said before",
            "    error: exit status 1",
        ]);
        assert.deepEqual(output.diagnostics, [
            "Diagnostics:",
            "  command:local:Command (a):",
            "    error: exit status 1",
        ]);
    });

    it("contains messages of components without their type or a repeated name, and omits noise", () => {
        const { shown } = taken([
            "    tradewind:index:LocalCluster local  Kubernetes 1.35.4 becomes 1.36.3: a snapshot of etcd, then etcd",
            "    tradewind:index:LocalCluster local  local: this gives up the way back to Kubernetes 1.35",
            " +  command:local:Command a-token-lifetime-default creating (0s) 2026-11-25T12:06:28.612Z",
            " ++ kubernetes:core/v1:Secret local/bootstrap-token created replacement (2s) [diff: ~data]",
            " +- kubernetes:core/v1:Secret local/bootstrap-token replaced (0.00s) [diff: ~data]",
        ]);
        assert.deepEqual(shown, [
            "local: Kubernetes 1.35.4 becomes 1.36.3: a snapshot of etcd, then etcd",
            "local: this gives up the way back to Kubernetes 1.35",
            "++ Secret local/bootstrap-token created replacement (2s) [diff: ~data]",
        ]);
    });

    it("shows unknown lines", () => {
        assert.deepEqual(taken(["error: no language plugin 'pulumi-language-nodejs' found"]).shown, [
            "error: no language plugin 'pulumi-language-nodejs' found",
        ]);
    });
});
