import assert from "node:assert/strict";
import { demanded, describeMissing, requireResources, supplied } from "../../../local/preflight";

const GIB = 1024 ** 3;
const plenty = { disk: 1e12, memory: 1e12 };

describe("the check of local resources", () => {
    it("passes if they are sufficient", () => {
        requireResources({ isCold: true, controllers: 5, workers: 10 }, plenty, "/cache");
    });

    it("requires 15 GB of disk and more for a cold cache, plus what kubelets reserve", () => {
        const demand = { isCold: true, controllers: 1, workers: 1 };
        assert.equal(demanded(demand).disk, 20e9);
        assert.throws(() => requireResources(demand, { ...plenty, disk: 19.9e9 }, "/cache"), {
            message: "free disk space at /cache must be 20.0 GB or more (got 19.9 GB)",
        });
    });

    it("requires memory for each machine", () => {
        const demand = { isCold: false, controllers: 3, workers: 2 };
        assert.throws(() => requireResources(demand, { ...plenty, memory: 2 * GIB }, "/cache"), {
            message: "free memory must be 4.3 GiB or more for 3 controllers and 2 workers (got 2.0 GiB)",
        });
    });

    it("requires nothing for existing machines", () => {
        assert.deepEqual(demanded({ isCold: false, controllers: 0, workers: 0 }), { disk: 0, memory: 0 });
    });

    it("checks the disk on which a folder will be created", async () => {
        const { disk, memory } = await supplied("/tmp/not/there/yet");
        assert.ok(disk > 0 && memory > 0);
        assert.equal(typeof disk, "number");
    });
});

describe("the list of missing programs", () => {
    const missing = [
        { command: "dockerd", debian: "docker.io" },
        { command: "docker", debian: "docker.io" },
        { command: "debootstrap", debian: "debootstrap" },
    ];

    it("contains a command that installs each package once", () => {
        assert.equal(
            describeMissing(missing, true),
            "not installed: dockerd, docker, debootstrap\nInstall them with: sudo apt-get install debootstrap docker.io",
        );
    });

    it("names the packages without apt-get", () => {
        assert.match(describeMissing(missing, false), /packages on Debian and Ubuntu: debootstrap docker\.io$/);
    });
});
