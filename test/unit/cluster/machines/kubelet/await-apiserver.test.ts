import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeconfig } from "../../../../../cluster/kubeconfig";
import { awaitApiserver, awaitApiserverScript } from "../../../../../cluster/machines/kubelet/wrapper";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";

describe("a kubelet that is to join", () => {
    const text = diffable(awaitApiserver())[awaitApiserverScript]!.replace(/^mode.*\n/, "");

    /** Runs the script; the apiserver reports the given versions in turn, or nothing. */
    function wait(version: string, ...answers: (string | undefined)[]): { output: string; asked: string[] } {
        const folder = mkdtempSync(join(tmpdir(), "await-apiserver-"));
        try {
            const program = (name: string, body: string) =>
                writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
            const access = { cluster: "c", server: "https://api.c.test:6443", ca: "CA", user: "kubelet-bootstrap" };
            writeFileSync(join(folder, "access"), kubeconfig({ ...access, credentials: { token: "abcdef.secret" } }));
            answers.forEach((answer, index) => {
                if (answer === undefined) return;
                const body = JSON.stringify({ major: "1", gitVersion: answer, goVersion: "go1.26.1" }, null, 2);
                writeFileSync(join(folder, `answer-${index}`), body);
            });
            const next = 'n=$(cat count); echo $((n + 1)) >count; cat "answer-$n"';
            program("curl", `cd ${folder}; { echo "$@"; cat; } >>asked; ${next}`);
            program("sleep", "");
            writeFileSync(join(folder, "count"), "0\n");
            const script = text.replaceAll(paths.bootstrapKubeconfig, join(folder, "access"));
            const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
            const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script, "await-apiserver", version], {
                encoding: "utf8",
                env,
            });
            assert.equal(status, 0, stderr);
            return { output: stdout, asked: readFileSync(join(folder, "asked"), "utf8").trim().split("\n") };
        } finally {
            rmSync(folder, { recursive: true });
        }
    }

    it("waits while the apiserver is of an older minor version", () => {
        const { output, asked } = wait("1.36.3", "v1.35.4", "v1.35.4", "v1.36.0");
        assert.equal(
            output,
            "await-apiserver: kubelet 1.36 waits for kube-apiserver, which is still at 1.35\n".repeat(2),
        );
        assert.equal(asked.length, 6);
    });

    it("compares numbers", () => {
        assert.equal(wait("1.9.0", "v1.10.0-rc.1+x").output, "");
        assert.match(wait("2.0.0", "v1.99.0", "v2.0.0").output, /kubelet 2\.0 waits .* at 1\.99/);
    });

    it("does not wait for an apiserver that reports no version", () =>
        assert.equal(wait("1.36.3", undefined).output, ""));

    it("authenticates with the join token, without showing it in process lists", () => {
        const { asked } = wait("1.36.3", "v1.36.3");
        assert.equal(
            asked[0],
            "-fsS --config - --cacert /etc/kubernetes/pki/ca.crt --max-time 3 https://api.c.test:6443/version",
        );
        assert.equal(asked[1], 'header = "Authorization: Bearer abcdef.secret"');
    });
});
