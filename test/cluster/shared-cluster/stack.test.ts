import assert from "node:assert/strict";
import { until } from "../../engine/until";
import { shared, sharedCluster } from "../shared";

describe("the stack that owns a cluster", function () {
    this.timeout(400_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("shows no change straight after up", async () => {
        await shared.pulumi("preview", "--expect-no-changes", "--diff");
    });

    it("changes nothing when npm start runs again, and says so", async () => {
        const { stdout, stderr } = await shared.start("--yes");
        assert.match(stdout + stderr, /no changes: the cluster is up to date/);
    });

    it("keeps every secret out of the state and of previews", async () => {
        const { stdout: state } = await shared.pulumi("stack", "export");
        assert.doesNotMatch(state, /BEGIN (EC )?PRIVATE KEY/);
        assert.match(state, /"ciphertext"/);
        const { stdout: outputs } = await shared.pulumi("stack", "output", "--json");
        assert.equal(JSON.parse(outputs).kubeconfig, "[secret]");
    });

    it("gives people a kubeconfig outside system:masters that may do everything, can be revoked and is restored", async () => {
        const whoAmI = JSON.parse(await shared.kubectl("auth", "whoami", "-o", "json"));
        assert.deepEqual(whoAmI.status.userInfo.groups, ["tradewind:administrators", "system:authenticated"]);
        assert.match(await shared.kubectl("auth", "can-i", "*", "*", "--all-namespaces"), /^yes/m);
        const secrets = () => shared.kubectl("get", "secrets", "--all-namespaces");
        await shared.kubectl("delete", "clusterrolebinding", "tradewind:administrators");
        try {
            const isForbidden = () =>
                secrets().then(
                    () => false,
                    ({ message }: Error) => /Forbidden/.test(message),
                );
            await until("the permissions to end", isForbidden);
        } finally {
            await shared.pulumi("up", "--yes", "--skip-preview", "--refresh");
        }
        await until("the permissions to be back", () =>
            secrets().then(
                () => true,
                () => false,
            ),
        );
        await shared.pulumi("preview", "--expect-no-changes");
    });

    // Every rejected value: test/unit/cluster.
    it("rejects bad input in preview and creates nothing", async () => {
        const refused: [string, string, RegExp][] = [
            ["tradewind:serviceCidr", "10.2.0.0/24", /network\.serviceCidr must not overlap network\.podCidr/],
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
