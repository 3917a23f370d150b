import assert from "node:assert/strict";
import { nameOfImage, queryOf, requireImage } from "../../../../../components/aws/machines/images";

describe("an image of instances", () => {
    it("is named by id, or by distribution, channel and version", () => {
        const images = {
            "ami-0123456789abcdef0": { id: "ami-0123456789abcdef0" },
            "flatcar-beta": { distribution: "flatcar", channel: "beta" },
            "flatcar-stable-4593.2.1": { distribution: "flatcar", channel: "stable", version: "4593.2.1" },
            "flatcar-lts-4593.3.0": { distribution: "flatcar", channel: "lts", version: "4593.3.0" },
            "fedora-coreos-next": { distribution: "fedora-coreos", channel: "next" },
            "fedora-coreos-stable-43.20260301.3.0": {
                distribution: "fedora-coreos",
                channel: "stable",
                version: "43.20260301.3.0",
            },
        };
        for (const [text, image] of Object.entries(images)) {
            assert.deepEqual(requireImage("image", text, "eu-central-1"), image);
            assert.equal(nameOfImage(requireImage("image", text, "eu-central-1")), text);
        }
    });

    for (const text of [
        "ubuntu",
        "ami-x",
        "flatcar",
        "flatcar-testing",
        "fedora-coreos-lts",
        "flatcar-stable-43.20260301.3.0",
        "fedora-coreos-stable-4593.2.1",
        "flatcar-stable-",
    ]) {
        it(`is refused when it is none: ${text}`, () => {
            const legal = "flatcar-stable, -beta, -alpha, -lts or fedora-coreos-stable, -testing, -next";
            const message = `controllers.image must be an AMI id, such as ami-0123456789abcdef0, or ${legal} (got ${text})`;
            assert.throws(() => requireImage("controllers.image", text, "eu-central-1"), { message });
        });
    }

    for (const [text, version] of [
        ["flatcar-lts-4081.3.6", "4081.3.6"],
        ["flatcar-stable-4230.2.2", "4230.2.2"],
    ]) {
        it(`is refused with the reason when no machine becomes a node with it: ${text}`, () => {
            const legal = `Flatcar 4459 or newer, not ${version}: its Ignition must support spec 3.5 and its containerd must support config version 3`;
            assert.throws(() => requireImage("image", text!, "eu-central-1"), {
                message: `image must be ${legal} (got ${text})`,
            });
        });
    }

    it("is given by id outside the commercial partition, whose names the publishers do not have there", () => {
        for (const region of ["us-gov-west-1", "cn-north-1"]) {
            assert.deepEqual(requireImage("image", "ami-0123456789abcdef0", region), { id: "ami-0123456789abcdef0" });
            assert.throws(() => requireImage("image", "flatcar-stable", region), {
                message: `image must be an AMI id in ${region}, because images are published by name in commercial regions only (got flatcar-stable)`,
            });
        }
    });

    it("is looked up at its publisher, by channel and architecture", () => {
        const amd64 = { name: "architecture", values: ["x86_64"] };
        assert.deepEqual(queryOf({ distribution: "flatcar", channel: "stable" }, "amd64"), {
            owner: "075585003325",
            filters: [{ name: "name", values: ["Flatcar-stable-*-hvm"] }, amd64],
        });
        assert.deepEqual(queryOf({ distribution: "flatcar", channel: "stable", version: "1.2.3" }, "arm64").filters, [
            { name: "name", values: ["Flatcar-stable-1.2.3*-hvm"] },
            { name: "architecture", values: ["arm64"] },
        ]);
        assert.deepEqual(queryOf({ distribution: "fedora-coreos", channel: "testing" }, "amd64"), {
            owner: "125523088429",
            filters: [{ name: "description", values: ["Fedora CoreOS testing *"] }, amd64],
        });
    });
});
