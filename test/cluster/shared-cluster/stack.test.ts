import assert from "node:assert/strict";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

describe("the stack that owns a cluster", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("shows no change straight after up", async () => {
        await shared.pulumi("preview", "--expect-no-changes", "--diff");
    });

    it("changes nothing when npm start runs again, and says so", async () => {
        const { stdout, stderr } = await shared.start("--yes");
        assert.match(stdout + stderr, /nothing to change/);
    });

    it("shows a changed flag of the control plane as just that, rolls it, and really drops it again", async () => {
        const flag = "tradewind:components.kubeScheduler.v";
        await shared.pulumi("config", "set", "--path", flag, "1", "--plaintext");
        const preview = await shared.pulumi("preview", "--diff");
        assert.match(preview.stdout, /--v=1/);
        assert.match(preview.stdout, /~ 1 to update/);
        assert.doesNotMatch(preview.stdout, /to (replace|create|delete)/);
        await shared.pulumi("up", "--yes", "--skip-preview");
        const flags = async () => {
            const { items } = await shared.get<{ items: { spec: { containers: { command: string[] }[] } }[] }>(
                ...[
                    "pods",
                    "-n",
                    "kube-system",
                    "-l",
                    "k8s-app=kube-scheduler",
                    "--field-selector",
                    "status.phase=Running",
                ],
            );
            assert.equal(items.length, 1);
            return items[0]!.spec.containers[0]!.command;
        };
        assert((await eventually("one scheduler", flags)).includes("--v=1"));

        await shared.pulumi("config", "rm", "--path", flag);
        await shared.pulumi("up", "--yes", "--skip-preview");
        assert(!(await eventually("one scheduler", flags)).includes("--v=1"));
    });

    it("keeps every secret out of the state and of previews", async () => {
        const { stdout: state } = await shared.pulumi("stack", "export");
        assert.doesNotMatch(state, /BEGIN (EC )?PRIVATE KEY/);
        assert.match(state, /"ciphertext"/);
        const { stdout: outputs } = await shared.pulumi("stack", "output", "--json");
        assert.equal(JSON.parse(outputs).kubeconfig, "[secret]");
    });

    // Each value that is refused: test/unit/components/cluster.
    it("refuses bad input in preview and creates nothing", async () => {
        const refused: [string, string, RegExp][] = [
            ["tradewind:serviceCidr", "10.2.0.0/24", /network\.serviceCidr must be apart from network\.podCidr/],
            ["tradewind:colour", "red", /colour/],
        ];
        const keep = (await shared.pulumi("config", "--json")).stdout;
        for (const [key, value, message] of refused) {
            const before = JSON.parse(keep)[key]?.value;
            await shared.pulumi("config", "set", key, value, "--plaintext");
            try {
                await assert.rejects(shared.pulumi("preview"), { message });
            } finally {
                const restore = before === undefined ? ["rm", key] : ["set", key, String(before), "--plaintext"];
                await shared.pulumi("config", ...restore);
            }
        }
    });
});
