import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Account as AwsAccount } from "../../simulator/clouds/aws/account";
import { Account as DigitalOceanAccount } from "../../simulator/clouds/digitalocean/account";
import type { CloudName } from "./paper/clouds";
import { Workspace } from "./workspace";

const bin = resolve(__dirname, "../../simulator/clouds/bin");

interface Cloud {
    readonly title: string;
    readonly open: (path: string) => { readonly left: readonly string[] };
    /** Creates something that the service would reject. */
    readonly program: string;
    readonly messages: readonly RegExp[];
    /** Values of user-data. */
    readonly userData: RegExp;
    readonly credential: readonly [name: string, value: string];
    readonly refusal: RegExp;
}

const clouds: Readonly<Partial<Record<CloudName, Cloud>>> = {
    aws: {
        title: "AWS",
        open: (path) => AwsAccount.open(path, { region: "eu-central-1", zones: {}, amis: {} }),
        program: `import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { secret } from "@pulumi/pulumi";
new LaunchTemplate("t", {
    name: "c-t",
    imageId: "flatcar",
    userData: secret(Buffer.from("token".repeat(4000)).toString("base64")),
});
`,
        messages: [
            /userData must be base64 of at most 16384 bytes \(got 26670 characters\)/,
            /imageId must be an AMI's id \(got "flatcar"\)/,
            /metadataOptions must be .* \(got nothing\)/,
        ],
        userData: /dG9rZW5/,
        credential: ["AWS_ACCESS_KEY_ID", "AKIASECRET"],
        refusal: /takes no credentials: unset AWS_ACCESS_KEY_ID/,
    },
    digitalocean: {
        title: "DigitalOcean",
        open: (path) => DigitalOceanAccount.open(path, { domains: [], images: { 17: "ignition" }, sshKeys: ["42"] }),
        program: `import { Droplet } from "@pulumi/digitalocean/droplet";
import { secret } from "@pulumi/pulumi";
new Droplet("a", { region: "mars1", image: "17", size: "s-2vcpu-2gb", userData: secret("token".repeat(20_000)) });
`,
        messages: [
            /userData must be at most 65536 bytes \(got 100002 characters\)/,
            /region must be one of ams3, fra1, nyc3, sgp1 \(got "mars1"\)/,
            /name must be a host name \(got nothing\)/,
        ],
        userData: /tokentoken/,
        credential: ["DIGITALOCEAN_TOKEN", "dop_v1_secret"],
        refusal: /takes no token: unset digitalocean:token and DIGITALOCEAN_TOKEN/,
    },
};

for (const [cloud, { title, open, program, messages, userData, credential, refusal }] of Object.entries(clouds)) {
    describe(`the simulated ${title} with the real engine`, function () {
        this.timeout(120_000);
        const [name, value] = credential;
        let folder: string;
        let left: () => readonly string[];
        let workspace: Workspace;

        const preview = async (env: NodeJS.ProcessEnv = {}, region = "eu-central-1") => {
            workspace = await Workspace.create(program, {
                PATH: [bin, process.env.PATH].join(delimiter),
                PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
                TRADEWIND_SIMULATED_ACCOUNT: join(folder, "account.json"),
                AWS_REGION: "",
                [name]: "",
                ...env,
            });
            await workspace.pulumi("config", "set", "aws:region", region);
            return workspace.preview();
        };

        beforeEach(() => {
            folder = mkdtempSync(join(tmpdir(), "tradewind-simulated-"));
            const account = open(join(folder, "account.json"));
            left = () => account.left;
        });
        afterEach(() => {
            workspace?.remove();
            rmSync(folder, { recursive: true });
        });

        it("rejects in preview what the service would reject, without printing user-data", async () => {
            const { exitCode, output } = await preview();
            assert.notEqual(exitCode, 0);
            for (const message of messages) assert.match(output, message);
            assert.doesNotMatch(output, userData);
            assert.deepEqual(left(), []);
        });

        it("only works on request", async () => {
            const { output } = await preview({ TRADEWIND_SIMULATED_ACCOUNT: "" });
            assert.ok(output.includes(`simulated ${title}, which was not requested`), output);
        });

        it("takes no credentials", async () => {
            const { output } = await preview({ [name]: value });
            assert.match(output, refusal);
            assert.ok(!output.includes(value));
        });

        if (cloud === "aws") {
            it("only works in its own region", async () => {
                const { output } = await preview({}, "us-east-1");
                assert.match(output, /aws:region must be .* eu-central-1 \(got us-east-1\)/);
            });
            return;
        }

        it("is only found by the PATH", async () => {
            const { output } = await preview({ PATH: process.env.PATH });
            assert.match(output, /no resource plugin 'pulumi-resource-digitalocean'/);
        });
    });
}
