import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planSchema } from "../../../../../agents/boot/receiver/plan";
import { readPlan } from "../../../../../agents/harness/plan";
import { bootstrapReceiver } from "../../../../../cluster/machines/bootstrap/receiver";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("the receiver's plan", () => {
    let folder: string;
    const write = (text: string) => {
        const path = join(folder, "plan.json");
        writeFileSync(path, text);
        return path;
    };
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-plan-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("matches the node config", () => {
        const certificate = { cert: "cert", key: "key" };
        const config = diffable(bootstrapReceiver(fixedCluster(), { certificate, agent: "" }));
        const plan = readPlan(
            write(config["/opt/tradewind/bootstrap-receiver/plan.json"]!.replace(/^mode.*\n/, "")),
            planSchema,
        );
        assert.equal(plan.port, 6443);
        assert.equal(plan.apiServer, "https://api.c.tradewind.internal:6443");
    });

    it("is rejected with all of its problems", () => {
        assert.throws(
            () => readPlan(write(JSON.stringify({ apiServer: "http://a", root: "host" })), planSchema),
            /apiServer must be an https:\/\/ URL without a path \(got "http:\/\/a"\); root must be an absolute path \(got "host"\); port must be a port \(got undefined\); ca must be/,
        );
    });
});
