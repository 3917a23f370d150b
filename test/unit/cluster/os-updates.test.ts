import assert from "node:assert/strict";
import { missingOsUpdates } from "../../../cluster/os-updates";

const osReboots = { windows: [{ days: [0], start: 120, minutes: 180 }] };
const flatcarUrl =
    "https://stable.release.flatcar-linux.net/amd64-usr/4593.2.1/flatcar_production_digitalocean_image.bin.bz2";

describe("updates of the OS of machines", () => {
    for (const image of ["flatcar-stable", "fedora-coreos-stable-44.20261101.3.0", flatcarUrl]) {
        it(`are applied by reboots, with ${image.slice(0, 40)}`, () => {
            assert.equal(missingOsUpdates(image, { osReboots }), undefined);
            assert.match(missingOsUpdates(image, {})!, /never apply them.*set osReboots\.windows/);
        });
    }

    for (const [image, installer] of [
        ["debian-13-x64", "unattended-upgrades"],
        ["fedora-44-x64", "dnf-automatic"],
        ["centos-stream-10-x64", "dnf-automatic"],
    ] as const) {
        it(`are missing in ${image} without a package that installs them`, () => {
            const problem = missingOsUpdates(image, { osReboots })!;
            assert.ok(problem.startsWith(`Machines with the image ${image} get no updates`), problem);
            assert.ok(problem.includes(installer), problem);
        });
    }

    for (const image of ["ubuntu-26-04-x64", "ami-0123456789abcdef0", "123456"]) {
        it(`are installed by, or unknown of, ${image}`, () => assert.equal(missingOsUpdates(image, {}), undefined));
    }
});
