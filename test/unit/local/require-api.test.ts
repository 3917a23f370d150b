import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeconfig } from "../../../cluster/kubeconfig";
import { requireApi } from "../../../local/require-api";
import { clusterState } from "../../../local/state";

describe("the API before a refresh", () => {
    const dir = mkdtempSync(join(tmpdir(), "tradewind-require-api-"));
    const path = join(dir, "kubeconfig");
    after(() => rmSync(dir, { recursive: true }));

    it("must answer, or nothing starts", async () => {
        const access = { cluster: "c", server: "https://127.0.0.1:1", ca: "", user: "admin" };
        writeFileSync(path, kubeconfig({ ...access, credentials: { cert: "", key: "" } }));
        const began = performance.now();
        await assert.rejects(requireApi({ ...clusterState("c"), kubeconfig: path }), {
            message:
                /^c: the API does not answer, so resources in the cluster cannot be refreshed: .*`npm start -- --name c` to start/,
        });
        assert.ok(performance.now() - began < 10_000);
    });

    it("is not queried with a damaged kubeconfig, which is named", async () => {
        writeFileSync(path, "");
        await assert.rejects(requireApi({ ...clusterState("c"), kubeconfig: path }), (error: Error) =>
            error.message.includes(`: ${path}: kubeconfig must be a YAML or JSON object. Nothing was changed.`),
        );
    });

    it("is not checked if there is no cluster yet", async () => {
        await requireApi({ ...clusterState("c"), kubeconfig: join(dir, "none") });
    });
});
