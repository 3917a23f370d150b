import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Account } from "../../simulator/clouds/digitalocean/account";
import { Workspace } from "./workspace";

const clouds = resolve(__dirname, "../../simulator/clouds/bin");
const vpc = "0b5a1e0c-5d4f-4f8e-9a43-6a3f1f6f1f00";

/** A program with resources that need no machine; `more` is appended. */
const program = (more = "") => `import { Droplet } from "@pulumi/digitalocean/droplet";
import { Firewall } from "@pulumi/digitalocean/firewall";
import { Tag } from "@pulumi/digitalocean/tag";
import { Volume } from "@pulumi/digitalocean/volume";

const tag = new Tag("c", { name: "c" });
new Firewall("c-nodes", {
    name: "c-nodes",
    tags: [tag.name],
    inboundRules: [{ protocol: "icmp", sourceTags: [tag.name] }],
    outboundRules: [{ protocol: "tcp", portRange: "1-65535", destinationAddresses: ["0.0.0.0/0"] }],
});
new Volume("c-etcd", { name: "c-etcd", region: "fra1", size: 20 });
const droplet = { region: "fra1", image: "17", size: "s-2vcpu-2gb", vpcUuid: "${vpc}", sshKeys: ["42"] };
${more}
`;

describe("the simulated DigitalOcean with the real engine", function () {
    this.timeout(120_000);
    let folder: string;
    let account: Account;
    let workspaces: Workspace[];

    const create = async (text: string, env: NodeJS.ProcessEnv = {}) => {
        const asked = {
            PATH: [clouds, process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            TRADEWIND_SIMULATED_ACCOUNT: join(folder, "account.json"),
            DIGITALOCEAN_TOKEN: "",
        };
        const workspace = await Workspace.create(text, { ...asked, ...env });
        workspaces.push(workspace);
        return workspace;
    };

    beforeEach(() => {
        workspaces = [];
        folder = mkdtempSync(join(tmpdir(), "tradewind-digitalocean-"));
        const owned = { domains: [], images: { 17: "ignition" }, sshKeys: ["42"] } as const;
        account = Account.open(join(folder, "account.json"), owned);
    });
    afterEach(() => {
        for (const workspace of workspaces) workspace.remove();
        rmSync(folder, { recursive: true });
    });

    it("previews, creates, leaves unchanged, updates and destroys", async () => {
        const workspace = await create(program());
        const preview = await workspace.preview();
        assert.equal(preview.changes.create, 4, preview.output);
        assert.deepEqual(account.left, []);

        assert.equal((await workspace.up()).exitCode, 0);
        assert.deepEqual(account.left.sort(), ["firewalls c-nodes", "tags c", "volumes c-etcd"]);
        assert.deepEqual((await workspace.up()).changes, { same: 4 });

        workspace.write("index.ts", program().replace("0.0.0.0/0", "192.0.2.0/24").replace("size: 20", "size: 30"));
        assert.deepEqual((await workspace.up()).changes, { same: 2, update: 2 });
        assert.deepEqual(
            Object.values(account.resources.volumes).map(({ size }) => size),
            [30],
        );

        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.deepEqual(account.left, []);
    });

    it("rejects in preview what the service would reject, without printing user-data", async () => {
        const long = await create(
            `import { secret } from "@pulumi/pulumi";\n${program('new Droplet("a", { ...droplet, name: "a", userData: secret("token".repeat(20_000)) });')}`,
        );
        const first = await long.preview();
        assert.notEqual(first.exitCode, 0);
        assert.match(first.output, /userData must be at most 65536 bytes \(got 100002 characters\)/);
        assert.doesNotMatch(first.output, /tokentoken/);

        const wrong = await create(program(`new Droplet("b", { ...droplet, region: "mars1" });`));
        const second = await wrong.preview();
        assert.notEqual(second.exitCode, 0);
        assert.match(second.output, /region must be one of ams3, fra1, nyc3, sgp1 \(got "mars1"\)/);
        assert.match(second.output, /name must be a host name \(got nothing\)/);
    });

    it("rejects in up what depends on the account", async () => {
        const workspace = await create(program(`new Droplet("a", { ...droplet, name: "a" });`));
        const { exitCode, output } = await workspace.up();
        assert.notEqual(exitCode, 0);
        assert.match(output, new RegExp(`vpcUuid must be a VPC of fra1 \\(got ${vpc}\\)`));
        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.deepEqual(account.left, []);
    });

    it("only works on request, and takes no token", async () => {
        const unasked = await create(program(), { TRADEWIND_SIMULATED_ACCOUNT: "" });
        assert.match((await unasked.preview()).output, /simulated DigitalOcean, which was not requested/);
        const real = await create(program(), { DIGITALOCEAN_TOKEN: "dop_v1_secret" });
        const { output } = await real.preview();
        assert.match(output, /takes no token: unset digitalocean:token and DIGITALOCEAN_TOKEN/);
        assert.doesNotMatch(output, /dop_v1_secret/);
        const withoutPath = await create(program(), { PATH: process.env.PATH });
        assert.match((await withoutPath.preview()).output, /no resource plugin 'pulumi-resource-digitalocean'/);
    });
});
