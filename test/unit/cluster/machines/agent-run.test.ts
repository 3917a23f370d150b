import assert from "node:assert/strict";
import { agentRun } from "../../../../cluster/machines/agent-run";
import { fixedCluster } from "../../components/in-cluster/fixture";

describe("the run of an agent by systemd", () => {
    const run = (before?: string) =>
        agentRun(fixedCluster(), {
            container: "agent",
            mounts: [
                { path: "/host", source: "/", mode: "rw" },
                { path: "/opt/a", mode: "ro" },
            ],
            command: "node /opt/a/a.js",
            before,
        }).split("\n");

    it("begins by removing what a killed run left, and ends with the agent", () => {
        const lines = run();
        assert.match(lines[1]!, /^ExecStartPre=-.* tasks kill --signal SIGKILL agent$/);
        assert.equal(lines.at(-1), "    node /opt/a/a.js");
    });

    it("mounts the given directories with their modes", () => {
        const mounts = run().filter((line) => line.includes("--mount"));
        assert.deepEqual(mounts, [
            "    --mount type=bind,src=/,dst=/host,options=rbind:rw \\",
            "    --mount type=bind,src=/opt/a,dst=/opt/a,options=rbind:ro \\",
        ]);
    });

    it("runs the given directive before it pulls the image", () => {
        const lines = run("ExecStartPre=/bin/sh first\n");
        const first = lines.indexOf("ExecStartPre=/bin/sh first");
        assert.ok(first > 0 && first < lines.findIndex((line) => line.includes("images pull")));
    });
});
