import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually, kubectlPath } from "../cluster";
import { life, lifeBegins } from "../life";
import { probeTargets } from "../probe-targets";
import { describeTallies, Prober } from "../prober";

describe("the pivot", () => {
    const machine = `${life.name}-controller-0`;

    it("fails no request while the pods of the control plane take over from its checkpoints", async function () {
        this.timeout(600_000);
        const done = lifeBegins();
        const kubeconfig = await eventually("the first API", () => adminKubeconfig(), 300);
        const host = /https:\/\/([\d.]+)/.exec(kubeconfig)![1]!;
        const folder = mkdtempSync(join(tmpdir(), "tradewind-pivot-"));
        const file = join(folder, "kubeconfig");
        writeFileSync(file, kubeconfig, { mode: 0o600 });
        const kubectl = async (...args: string[]) =>
            (await promisify(execFile)(kubectlPath(), ["--kubeconfig", file, ...args])).stdout;
        try {
            await eventually("the API", () => kubectl("get", "namespace", "default"), 60);
            const prober = new Prober(await probeTargets(host, kubeconfig, kubectl), 300);
            await done;
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            for (const kind of ["new", "http2", "watch"] as const) {
                assert.deepEqual(tallies[kind].failures, [], kind);
            }
            assert(tallies.new.requests > 200 && tallies.http2.requests > 200);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    /**
     * A kubeconfig with the bootstrap's own credentials, for the controller's own address; fails until the API serves
     * there.
     */
    async function adminKubeconfig(): Promise<string> {
        const address = (await life.exec(machine, "hostname -I")).split(" ")[0]!;
        // It waits on the machine: polling from outside would take half a core from the bootstrap.
        await life.exec(
            machine,
            `for try in $(seq 200); do curl -ksf https://${address}:6443/readyz && exit; sleep 0.2; done; exit 1`,
        );
        const pem = async (name: string) =>
            life.exec(machine, `base64 -w0 /opt/tradewind/bootstrap/secrets/admin/${name}`);
        return JSON.stringify({
            apiVersion: "v1",
            kind: "Config",
            clusters: [
                {
                    name: life.name,
                    cluster: { server: `https://${address}:6443`, "certificate-authority-data": await pem("ca.crt") },
                },
            ],
            users: [
                {
                    name: "admin",
                    user: {
                        "client-certificate-data": await pem("admin.crt"),
                        "client-key-data": await pem("admin.key"),
                    },
                },
            ],
            contexts: [{ name: "admin", context: { cluster: life.name, user: "admin" } }],
            "current-context": "admin",
        });
    }
});
