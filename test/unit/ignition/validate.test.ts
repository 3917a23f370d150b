import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import fc from "fast-check";
import { assertValid, config, file, parse, remoteFile, validate } from "../../../ignition";
import { generateTypes } from "../../../ignition/generate-types";
import { anyConfig } from "./arbitrary";

const folder = join(__dirname, "../../../ignition");

describe("validate", () => {
    const base = { ignition: { version: "3.5.0" } };
    const withFile = (fields: object) => ({ ...base, storage: { files: [{ path: "/a", ...fields }] } });
    const refused: [string, object, string][] = [
        ["no version", { ignition: {} }, "ignition.version must be set, got nothing"],
        [
            "an unknown version",
            { ignition: { version: "2.0.0" } },
            "ignition.version must be 3.3.0, 3.4.0 or 3.5.0, got 2.0.0",
        ],
        [
            "an unknown section",
            { ...base, disks: [] },
            "disks must be one of ignition, storage, systemd, passwd, kernelArguments, got disks",
        ],
        [
            "an unknown key",
            withFile({ content: {} }),
            "storage.files[0].content must be one of path, overwrite, user, group, mode, contents, append, got content",
        ],
        ["a mode as text", withFile({ mode: "0644" }), 'storage.files[0].mode must be integer, got "0644"'],
        [
            "a mode out of range",
            withFile({ mode: 0o10000 }),
            "storage.files[0].mode must be from 0 to 0o7777, got 4096",
        ],
        [
            "a relative path",
            withFile({ path: "etc/x" }),
            "storage.files[0].path must be an absolute path without . and .., got etc/x",
        ],
        [
            "a path that climbs",
            withFile({ path: "/etc/../x" }),
            "storage.files[0].path must be an absolute path without . and .., got /etc/../x",
        ],
        [
            "a foreign scheme",
            withFile({ contents: { source: "ftp://x" } }),
            "storage.files[0].contents.source must be a URL of data: http: https: s3: arn: gs: tftp:, got ftp://x",
        ],
        [
            "a broken data URL",
            withFile({ contents: { source: "data:%zz" } }),
            "storage.files[0].contents.source must be a URL of data: http: https: s3: arn: gs: tftp:, got data:%zz",
        ],
        [
            "a short hash",
            withFile({ contents: { source: "data:,", verification: { hash: "sha256-00" } } }),
            "storage.files[0].contents.verification.hash must be sha256-<64 hex digits> or sha512-<128 hex digits>, got sha256-00",
        ],
        [
            "a foreign compression",
            withFile({ contents: { source: "data:,", compression: "xz" } }),
            "storage.files[0].contents.compression must be gzip, got xz",
        ],
        [
            "one path twice",
            { ...base, storage: { files: [{ path: "/a" }], directories: [{ path: "/a" }] } },
            "storage.directories[0].path must be unique, got /a, which storage.files[0] has",
        ],
        [
            "a link to nowhere",
            { ...base, storage: { links: [{ path: "/a" }] } },
            "storage.links[0].target must be set, got nothing",
        ],
        [
            "a unit without type",
            { ...base, systemd: { units: [{ name: "kubelet" }] } },
            "systemd.units[0].name must be a unit's name with its type, got kubelet",
        ],
        [
            "one unit twice",
            { ...base, systemd: { units: [{ name: "a.service" }, { name: "a.service" }] } },
            "systemd.units[1].name must be unique, got a.service",
        ],
        [
            "a drop-in that systemd ignores",
            { ...base, systemd: { units: [{ name: "a.service", dropins: [{ name: "x" }] }] } },
            "systemd.units[0].dropins[0].name must end in .conf, got x",
        ],
    ];
    for (const [what, value, message] of refused) {
        it(`refuses ${what}`, () => {
            assert.deepEqual(validate(value as never), [message]);
            assert.throws(() => assertValid(value as never), { message });
        });
    }

    it("takes what the builders make, as the published schema does", () => {
        for (const version of ["3.3", "3.4", "3.5"]) {
            const { $schema, ...schema } = JSON.parse(readFileSync(join(folder, `schema/v${version}.json`), "utf8"));
            const isValid = new Ajv({ strict: false }).compile(schema);
            fc.assert(
                fc.property(anyConfig, (value) => {
                    assert.deepEqual(validate(value), []);
                    assert(isValid(value), JSON.stringify(isValid.errors));
                }),
            );
        }
    });
});

describe("parse", () => {
    it("reads specifications 3.3 to 3.5 and brings them to 3.5", () => {
        for (const version of ["3.3.0", "3.4.0", "3.5.0"]) {
            assert.equal(parse(JSON.stringify({ ignition: { version } })).ignition.version, "3.5.0");
        }
    });
});

describe("remoteFile", () => {
    it("refuses a source without a hash", () => {
        assert.throws(() => remoteFile("/a", "https://x/", {}), {
            message: "/a must have a sha256 or sha512, got neither",
        });
    });

    it("pins the hash", () => {
        const sha256 = "ab".repeat(32);
        const { contents } = remoteFile("/a", "https://x/", { sha256 });
        assert.deepEqual(contents, { source: "https://x/", verification: { hash: `sha256-${sha256}` } });
        assert.deepEqual(validate(config({ files: [remoteFile("/a", "https://x/", { sha256 }), file("/b", "")] })), []);
    });
});

describe("the generated types", () => {
    it("are those of the published schema", async function () {
        this.timeout(30_000);
        assert.equal(readFileSync(join(folder, "types.ts"), "utf8"), await generateTypes());
    });
});
