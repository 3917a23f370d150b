import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const example = resolve(__dirname, "../../examples/digitalocean-program.ts");
const program = readFileSync(example, "utf8").replace("../index", resolve(__dirname, "../../index"));
/** Its domain is another one than the cluster's, and its image is elsewhere. */
const wrong = program
    .replace("name: domainName", 'name: "other.example.org"')
    .replace("regions: [region]", 'regions: ["nyc3"]');

describe("a program that creates a domain, an SSH key, an image, a project and a cluster that uses them, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {}, program);
        account = stack.account as Account;
    });
    after(() => stack?.remove());

    it("is previewed whole, and the preview names what it could not check", async () => {
        const { output } = await succeeded(stack.operation("preview"));
        assert.match(
            output,
            /not checked in this preview, because the resources they come from do not exist yet: image, sshKeys, project\. /,
        );
        assert.match(
            output,
            /domain team\.example\.org was not found in the account: `pulumi up` looks it up again once the resources that the cluster depends on exist/,
        );
        assert.match(output, /Droplet\s+blue-controller-0/);
        assert.match(output, /Droplet\s+blue-default-0/);
    });

    it("is refused in preview without dependsOn, as nothing says that the domain will exist", async () => {
        stack.rewrite(program.replace("dependsOn: [domain]", "dependsOn: []"));
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain must be a domain of the account \(got team\.example\.org\)/);
    });

    it("refuses in up, before anything of the cluster is created, a missing domain, an image of another region, an unknown project", async () => {
        stack.rewrite(wrong);
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain must be a domain of the account \(got team\.example\.org\)/);
        assert.match(output, /image must be available in fra1 \(got \d+, flatcar-4593\.2\.1, which is in nyc3\)/);
        assert.doesNotMatch(output, / {4}at .*\.ts/);
        assert.deepEqual([account.resources.vpcs, account.resources.droplets], [{}, {}]);
        stack.rewrite(program.replace("project: project.id", "project: project.createdAt"));
        const unknown = await stack.operation("up");
        assert.notEqual(unknown.exitCode, 0);
        assert.match(unknown.output, /project must be the name or id of a project of the account \(got 20\d\d-/);
        assert.deepEqual([account.resources.vpcs, account.resources.droplets], [{}, {}]);
        await succeeded(stack.operation("destroy"));
        assert.deepEqual(account.left, []);
    });

    it("creates all of it in one up", async () => {
        stack.rewrite(program);
        account.behave({ nameServers: { "team.example.org": [] } });
        const { output } = await succeeded(stack.operation("up"));
        assert.match(output, /domain team\.example\.org is not delegated to DigitalOcean/);
        assert.doesNotMatch(output, /not checked in this preview|was not found/);
        const { projects, droplets, dnsRecords } = account.resources;
        const [project] = Object.keys(projects);
        const nodes = Object.values(droplets);
        assert.deepEqual(
            nodes.map((each) => [each.project, each.tags.includes("team")]),
            [
                [project, true],
                [project, true],
            ],
        );
        assert.deepEqual(
            Object.values(dnsRecords).map(({ name, domain }) => `${name}.${domain}`),
            ["api.blue.team.example.org"],
        );
    });

    it("is unchanged in the next preview and after a refresh, which checks everything", async () => {
        for (const refreshed of [[], ["--refresh"]]) {
            const { changes, output } = await succeeded(stack.operation("preview", ...refreshed));
            assert.deepEqual(Object.keys(changes), ["same"]);
            assert.doesNotMatch(output, /not checked in this preview|was not found/);
        }
    });

    it("is destroyed whole: the cluster before its domain, its droplets before their project, image and key", async () => {
        const { output } = await succeeded(stack.operation("destroy"));
        assert.deepEqual(account.left, []);
        const precedes = (one: string, other: string) => {
            const [first, then] = [output.indexOf(`:${one} deleted`), output.indexOf(`:${other} deleting`)];
            assert.ok(first > 0 && first < then, `${one} before ${other}:\n${output}`);
        };
        precedes("DnsRecord blue-api", "Domain team");
        for (const other of ["Project team", "CustomImage flatcar", "SshKey team"]) precedes("Vpc blue", other);
    });

    it("creates nothing of the cluster, and says nothing about it, if the domain cannot be created", async () => {
        account.behave({ domains: ["team.example.org"] });
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(output, /422 domain 'team\.example\.org': name already exists/);
        assert.doesNotMatch(output, /could not check|domain must be| {4}at .*\.ts/);
        assert.deepEqual([account.resources.vpcs, account.resources.droplets], [{}, {}]);
    });
});
