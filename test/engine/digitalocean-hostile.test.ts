import assert from "node:assert/strict";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const tradewind = resolve(__dirname, "../../dev/tradewind.cjs");

describe("a cluster on a hostile DigitalOcean, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "ubuntu-26-04-x64",
            "tradewind:os": "cloud-init",
            "tradewind:workerPools": [{ name: "a" }],
            "tradewind:ingress": {},
            "tradewind:snapshotSpace": { name: "acme" },
            "tradewind:project": "acme",
        });
        account = stack.account as Account;
    });
    after(() => stack?.remove());

    const drift = () => stack.program(tradewind, "preview", "--drift", "--no-node-configs", "--stack", "test");
    const succeed = (...args: Parameters<PaperStack["operation"]>) => succeeded(stack.operation(...args));

    it("is created although every few calls are throttled", async () => {
        account.behave({ throttled: 4 });
        await succeed("up");
        assert.equal(account.state.throttled, 0);
        // As configured: not every second.
        assert.deepEqual(account.balancer("test-api").pace, { interval: 3, healthy: 2, unhealthy: 2 });
        assert.deepEqual(account.balancer("test-ingress").pace, { interval: 10, healthy: 2, unhealthy: 2 });
    });

    it("reports a call that stays throttled, and goes on in the next run", async () => {
        account.behave({ throttled: 1_000 });
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /error: could not look up the project acme: .*429 Too many requests/);
        assert.match(output, /could not check .*429 Too many requests, giving up after 5 attempt\(s\)/);
        account.behave({ throttled: 0 });
        await succeed("up", "--expect-no-changes");
    });

    it("is unchanged after a refresh of all its types", async () => {
        const { changes } = await succeed("refresh");
        assert.deepEqual(Object.keys(changes), ["same"]);
        await succeed("up", "--expect-no-changes");
    });

    it("can be imported, each resource of a type that its provider imports", async () => {
        const own = (await stack.resources()).filter(({ type }) => type.startsWith("digitalocean:index/"));
        const imported = own.filter(({ type }) => !/:(ProjectResources|SpacesKey)$/.test(type));
        const prefixes = { DnsRecord: "domain", SpacesBucket: "region" } as const;
        const resources = imported.map(({ type, name, id, inputs }) => {
            const { [type.replace(/.*:/, "") as "DnsRecord"]: prefix } = prefixes;
            return { type, name: `its-${name}`, id: prefix ? `${inputs[prefix]},${id}` : id };
        });
        assert.deepEqual([...new Set(imported.map(({ type }) => type.replace(/.*:/, "")))].sort(), [
            ...["DnsRecord", "Droplet", "Firewall", "LoadBalancer", "SpacesBucket", "Tag", "Volume", "Vpc"],
        ]);
        const { output: before } = await stack.run("stack", "export");
        const imports = async (what: object[]) => {
            stack.write("import.json", JSON.stringify({ resources: what }));
            return stack.run(
                ...["import", "--file", "import.json", "--yes", "--skip-preview", "--non-interactive"],
                ...["--generate-code=false", "--protect=false"],
            );
        };
        const { output } = await imports(resources);
        assert.match(output, new RegExp(`= ${resources.length} imported`), output.slice(-1500));
        assert.doesNotMatch(output, /failed to validate|error:/);
        // Its id alone is not enough for the provider.
        const record = imported.find(({ type }) => type.endsWith(":DnsRecord"))!;
        const refused = await imports([{ type: record.type, name: "record", id: record.id }]);
        assert.match(refused.output, /resource '\d+' does not exist/);
        stack.write("before.json", before);
        await stack.run("stack", "import", "--file", "before.json");
    });

    it("is repaired after a refresh that found resources missing or changed", async () => {
        const [[record] = assert.fail("no record")] = Object.entries(account.resources.dnsRecords);
        account.remove("dnsRecords", record);
        const [firewall] = Object.entries(account.resources.firewalls).find(([, { name }]) => name === "test-nodes")!;
        const { [firewall]: kept } = account.state.records!;
        account.record(firewall, {
            ...kept!,
            state: { ...kept!.state, inboundRules: [] },
            inputs: { ...kept!.inputs, inboundRules: [] },
        });
        const drifted = await drift();
        assert.equal(drifted.exitCode, 2, drifted.stderr);
        assert.match(drifted.stdout, /Resources: 1 to create, 1 to update/);
        const refreshed = await succeed("refresh");
        assert.deepEqual([refreshed.changes.delete, refreshed.changes.update], [1, 1], refreshed.output);
        const { changes } = await succeed("up");
        assert.deepEqual([changes.create, changes.update], [1, 1]);
        const repaired = await drift();
        assert.equal(repaired.exitCode, 0, repaired.stdout);
    });

    it("keeps its worker if the account has no room for the one that replaces it", async () => {
        account.behave({ dropletLimit: 2 });
        stack.configure({ "tradewind:workerPools": [{ name: "a", count: 2 }] });
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /droplet limit must be at least 3, 2 exist and 1 are to be created \(got 2\)/);
        assert.equal(Object.keys(account.resources.droplets).length, 2);
        account.behave({ dropletLimit: 25 });
        stack.configure({ "tradewind:workerPools": [{ name: "a" }] });
        const droplets = Object.keys(account.resources.droplets);
        await succeed("up");
        assert.deepEqual(Object.keys(account.resources.droplets), droplets);
    });

    it("leaves volumes of pods on a controller, whatever it changes there", async () => {
        const controller = () =>
            Object.entries(account.resources.droplets).find(([, { name }]) => name === "test-controller-0")!;
        const id = account.newId("volumes");
        account.put("volumes", id, { name: "pvc-1", region: "fra1", size: 1 });
        const [droplet, before] = controller();
        const volumes = [...(before.volumes ?? []), id];
        assert.equal(volumes.length, 2);
        account.put("droplets", droplet, { ...before, volumes });
        await succeed("up", "--refresh");
        assert.deepEqual(controller()[1].volumes, volumes);
        stack.configure({ "tradewind:backups": true });
        await succeed("up");
        assert.deepEqual(controller(), [droplet, { ...controller()[1], volumes }]);
        // In a dry run it boots with the same configuration, so it would not be replaced.
        stack.configure({ "tradewind:recreate": ["test-controller-0"] });
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /recreate must not list test-controller-0, which has the current configuration and volumes/,
        );
        account.put("droplets", droplet, { ...controller()[1], volumes: before.volumes ?? [] });
        account.remove("volumes", id);
        stack.configure({ "tradewind:backups": undefined, "tradewind:recreate": undefined });
        await succeed("up", "--refresh");
    });

    it("refuses a size whose disk is smaller than a droplet's", async () => {
        const [id, worker] = Object.entries(account.resources.droplets).find(([, { name }]) => name === "test-a-0")!;
        account.put("droplets", id, { ...worker, disk: 160 });
        stack.configure({ "tradewind:workerPools": [{ name: "a", size: "s-1vcpu-2gb" }] });
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /workerPools\[0\]\.size must be a size with a disk of at least 160 GB, which test-a-0 has/,
        );
        account.put("droplets", id, worker);
        stack.configure({ "tradewind:workerPools": [{ name: "a" }] });
    });

    it("keeps its snapshots without the option", async () => {
        stack.configure({ "tradewind:snapshotSpace": undefined });
        const { output } = await succeed("up");
        assert.match(output, /SpacesBucket test-snapshots deleted .*\[retain\]/);
        assert.match(
            output,
            /- retainedSnapshots *: {.*bucket *: "acme".*delete *: "aws s3 rb --force s3:\/\/acme --endpoint-url https:\/\/fra1\.digitaloceanspaces\.com"/s,
        );
        assert.equal(Object.keys(account.resources.spacesBuckets).length, 1);
    });

    it("is destroyed although calls are throttled and a backup locks a controller", async () => {
        account.behave({ throttled: 4 });
        account.lock("test-controller-0", 500);
        await succeed("destroy");
        assert.equal(account.left.length, 1, String(account.left));
        assert.ok(account.waited > 500, String(account.waited));
    });
});
