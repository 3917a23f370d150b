import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { itLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";
import { configOf } from "./previews/configurations";
import { succeeded } from "./workspace";

describe("a production cluster on a simulated AWS, in a dry run by the real engine,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;

    before(async () => {
        stack = await PaperStack.create("aws", configOf("stacks/Pulumi.aws-production.yaml"));
        account = stack.account as Account;
        await succeeded(stack.operation("up"));
    });
    after(() => stack?.remove());

    const refresh = async () => (await stack.run("refresh", "--yes", "--skip-preview", "--non-interactive")).output;
    const changes = async () => Object.keys((await succeeded(stack.operation("up"))).changes);

    it("is refreshed without a change of any resource", async () => {
        const output = await refresh();
        assert.match(output, /Resources:\n {4}\d+ unchanged\n/, output.slice(-1500));
        assert.deepEqual(await changes(), ["same"]);
    });

    itLong("shows in a refresh what others changed, and gets it back", async () => {
        account.change("autoScalingGroups", "test-default", (now) => ({ ...now, desired: 2 }));
        const output = await refresh();
        assert.match(output, /~ 1 updated/, output.slice(-1500));
        assert.deepEqual((await changes()).sort(), ["same", "update"]);
        assert.equal(account.find("autoScalingGroups", "test-default").desired, 3);
    });

    itLong("creates again what others deleted, once a refresh has found that", async () => {
        const [id] = Object.entries(account.resources.records).find(([, { name }]) => name.startsWith("ingress."))!;
        account.remove("records", id);
        assert.match(await refresh(), /- 1 deleted/);
        assert.deepEqual((await changes()).sort(), ["create", "same"]);
        assert.ok(account.resources.records[id]);
    });

    it("can be imported, every resource of it", async () => {
        const own = (await stack.resources()).filter(({ type }) => type.startsWith("aws:"));
        const resources = own.map(({ type, name, id }) => ({ type, name, id }));
        assert.ok(new Set(own.map(({ type }) => type)).size > 25);
        stack.write("import.json", JSON.stringify({ resources }));
        const { output } = await stack.run(
            ...["import", "--file", "import.json", "--yes", "--skip-preview", "--non-interactive"],
            ...["--generate-code=false", "--protect=false"],
        );
        assert.match(output, new RegExp(`= ${resources.length} imported`), output.slice(-1500));
        const warnings = output.split("\n").filter((line) => /warning:|error:/.test(line));
        assert.deepEqual(
            warnings.filter((line) => !line.includes("using pulumi-resource-")),
            [],
        );
    });
});
