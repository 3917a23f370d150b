import assert from "node:assert/strict";
import { cloudInitConfig, cloudInitUserData, configHash } from "../../../../../components/aws/machines/user-data";
import { config, file } from "../../../../../ignition";
import { golden } from "../../../golden";
import { assertShell } from "../../in-cluster/shell";

const pointer = { bucket: "c-configs-1a2b3c4", key: "nodes/a/c-a-0.yaml", hash: configHash("#cloud-config\n") };
const disk = { bucket: "c-configs-1a2b3c4", key: "nodes/a/c-a-0-etcd", path: "/etc/tradewind/etcd-disk", mode: 0o644 };

describe("the user-data of an instance on AWS with cloud-init", () => {
    it("is a script that fetches the config as the instance's role, compares its hash, and has it applied", () => {
        const text = cloudInitUserData(pointer, [disk], "eu-central-1");
        golden(__dirname, "cloud-init-user-data", text);
        assert.match(text, /^#cloud-boothook\n#!\/bin\/sh\n/);
        assertShell(text.slice(text.indexOf("\n") + 1));
        assertShell(/<<'END'\n(.*\n)END\n/s.exec(text)![1]!);
    });

    it("fetches the config by the cluster's proxy", () => {
        const proxy = { httpsProxy: "http://proxy.example:3128", noProxy: ["localhost"] };
        const text = cloudInitUserData(pointer, [disk], "eu-central-1", proxy);
        assert.match(text, /^export https_proxy='http:\/\/proxy\.example:3128'\nexport no_proxy='localhost'\n/m);
        assertShell(/<<'END'\n(.*\n)END\n/s.exec(text)![1]!);
    });

    it("is far below the 16 KiB that EC2 takes", () => {
        const longest = { bucket: "b".repeat(63), key: "k".repeat(1024), hash: "f".repeat(128) };
        const text = cloudInitUserData(
            longest,
            [{ ...longest, path: `/${"p".repeat(255)}`, mode: 0o644 }],
            "cn-north-1",
        );
        assert.ok(Buffer.byteLength(text) < 8192, `${Buffer.byteLength(text)} bytes`);
        assert.match(text, /\.amazonaws\.com\.cn\//);
    });
});

describe("a config for cloud-init on AWS", () => {
    it("leaves files that lie in a bucket to the script that fetches the config", () => {
        const source = `s3://${disk.bucket}/${disk.key}`;
        const { text, objects } = cloudInitConfig(
            config({ files: [file("/etc/a", "b\n"), { path: disk.path, mode: disk.mode, contents: { source } }] }),
        );
        assert.deepEqual(objects, [disk]);
        assert.match(text, /path: "?\/etc\/a/);
        assert.doesNotMatch(text, /etcd-disk|s3:/);
    });

    it("is refused with what cloud-init cannot do", () => {
        assert.throws(
            () => cloudInitConfig({ ...config({}), kernelArguments: { shouldExist: ["quiet"] } }),
            /kernelArguments conflicts with cloud-init/,
        );
    });
});
