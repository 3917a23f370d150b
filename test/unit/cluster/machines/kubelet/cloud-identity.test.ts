import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CloudName, cloudNames } from "../../../../../cluster/clouds";
import { cloudIdentity } from "../../../../../cluster/machines/kubelet/cloud-identity";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";

const scriptOf = (cloudProvider: CloudName) =>
    diffable(cloudIdentity(fixedCluster({ cloudProvider })))[`${paths.bin}/cloud-identity`]!.replace(/^mode.*\n/, "");

describe("a node's identity in its cloud", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "cloud-identity-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Runs the script with a metadata service that responds with the first of `answers` whose pattern matches. */
    const run = (cloud: CloudName, answers: Readonly<Record<string, string>>) => {
        const cases = Object.entries(answers).map(([pattern, answer]) => `*"${pattern}"*) echo ${answer} ;;`);
        const curl = `#!/bin/sh\necho "$*" >>${folder}/asked\ncase "$*" in ${cases.join("\n")}\n*) exit 22 ;; esac\n`;
        writeFileSync(join(folder, "curl"), curl, { mode: 0o755 });
        const script = scriptOf(cloud).replaceAll(paths.kubeletConfigDropIns, folder);
        const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
        return spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", env });
    };
    const told = () => JSON.parse(readFileSync(join(folder, "20-provider-id.conf"), "utf8"));
    const ofInstance = {
        "-X PUT": "token",
        "X-aws-ec2-metadata-token: token http://169.254.169.254/latest/meta-data/placement/availability-zone":
            "eu-central-1b",
        "X-aws-ec2-metadata-token: token http://169.254.169.254/latest/meta-data/instance-id": "i-0123456789abcdef0",
    };

    it("is not used without a cloud controller", () => assert.deepEqual(diffable(cloudIdentity(fixedCluster())), {}));

    it("is the instance's zone and id on AWS, requested with a token", () => {
        assert.equal(run("aws", ofInstance).status, 0);
        assert.deepEqual(told(), {
            apiVersion: "kubelet.config.k8s.io/v1beta1",
            kind: "KubeletConfiguration",
            providerID: "aws:///eu-central-1b/i-0123456789abcdef0",
        });
    });

    it("is a droplet's id on DigitalOcean", () => {
        assert.equal(run("digitalocean", { "/metadata/v1/id": "12345" }).status, 0);
        assert.equal(told().providerID, "digitalocean://12345");
    });

    it("is retried while the cloud does not respond, without leaving a partial file", () => {
        const { "-X PUT": token, ...rest } = ofInstance;
        const parts: Record<string, string>[] = [{}, rest, { "-X PUT": token }];
        for (const answers of parts) {
            assert.notEqual(run("aws", answers).status, 0);
            assert.deepEqual(
                readdirSync(folder).filter((name) => name.endsWith(".conf")),
                [],
            );
        }
        assert.equal(run("aws", ofInstance).status, 0);
    });

    it("is requested once, so that a reboot does not depend on the cloud", () => {
        run("aws", ofInstance);
        const asked = readFileSync(join(folder, "asked"), "utf8");
        assert.equal(run("aws", {}).status, 0);
        assert.equal(readFileSync(join(folder, "asked"), "utf8"), asked);
    });

    for (const cloud of cloudNames) {
        it(`is requested by plain shell on ${cloud}`, () => assertShell(scriptOf(cloud)));
    }
});
