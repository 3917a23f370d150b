import assert from "node:assert/strict";
import { simulatedAccount } from "../../../clients/simulated-account";
import { pulumiEnv } from "../../../local/pulumi";
import { clusterState } from "../../../local/state";
import { plugins } from "../../../simulator/plugins/list";

describe("a simulated cloud", () => {
    const path = (env: NodeJS.ProcessEnv) => pulumiEnv(clusterState("c"), [], env).PATH!.split(":");

    it("does not exist unless an account is given", () => {
        assert.equal(simulatedAccount({}), undefined);
        assert.equal(simulatedAccount({ TRADEWIND_SIMULATED_ACCOUNT: "" }), undefined);
    });

    it("is only found by the engine in such a run", () => {
        const has = (folders: string[]) => folders.some((folder) => folder.endsWith("simulator/clouds/bin"));
        assert.equal(has(path({ PATH: "/bin" })), false);
        assert.equal(has(path({ PATH: "/bin", TRADEWIND_SIMULATED_ACCOUNT: "/tmp/account.json" })), true);
    });

    it("is not used as a stand-in when the official plugin cannot be downloaded", () => {
        assert.ok(!plugins().some(({ name }) => name === "digitalocean"));
    });
});
