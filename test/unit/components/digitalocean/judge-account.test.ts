import assert from "node:assert/strict";
import { type Found, newDroplets, problemsOf } from "../../../../components/digitalocean/judge-account";
import { resolveDigitalOcean } from "../../../../components/digitalocean/resolve";

const { cluster, digitalOcean } = resolveDigitalOcean("c", {
    ...{ domain: "example.com", region: "fra1", image: "17", sshKeys: ["42"], recreate: ["c-a-1"] },
    controllers: { size: "s-2vcpu-4gb" },
    workerPools: [{ name: "a", count: 2 }],
});

const size = (slug: string, vcpus: number, gigabytes: number, more: object = {}) => ({
    ...{ slug, vcpus, memory: gigabytes * 1024, disk: 40 * vcpus, available: true, regions: ["fra1", "nyc3"] },
    ...more,
});
const sizes = [
    size("s-1vcpu-1gb", 1, 1),
    size("s-1vcpu-2gb", 1, 2),
    size("s-2vcpu-2gb", 2, 2),
    size("s-2vcpu-4gb", 2, 4),
    size("s-4vcpu-8gb", 4, 8),
    size("c-2", 2, 4, { regions: ["nyc3"] }),
    size("m-2vcpu-16gb", 2, 16, { available: false }),
];
const flatcar = { name: "flatcar", regions: ["fra1"], status: "available", minDiskSize: 9 };
const good: Found = {
    droplets: 2,
    dropletLimit: 10,
    sizes,
    image: flatcar,
    sshKeys: [{ id: 42, name: "mine", fingerprint: "3b:16" }],
    domain: {},
};

describe("what an account must have before droplets are created on DigitalOcean", () => {
    const desired = { region: "fra1", image: "17", sshKeys: ["42"], domain: "example.com" };
    const droplets = newDroplets(cluster, digitalOcean, []);
    const problems = (found: Partial<Found>, more: Partial<typeof desired> = {}) =>
        problemsOf({ ...desired, ...more }, droplets, { ...good, ...found });

    it("is everything that the configuration names", () => assert.deepEqual(problems({}), []));

    it("is not judged as far as it is not known yet, or could not be looked up", () => {
        const unknown = { ...desired, image: undefined, sshKeys: [undefined] };
        assert.deepEqual(problemsOf(unknown, droplets, { ...good, image: "missing", sshKeys: [] }), []);
        assert.deepEqual(problemsOf(desired, droplets, {}), []);
    });

    const wrong: Record<string, [Partial<Found>, Partial<typeof desired>, RegExp[]]> = {
        "the domain": [
            { domain: "missing" },
            {},
            [
                /^domain must be a domain of the account \(got example\.com\): .*doctl compute domain create example\.com$/,
            ],
        ],
        "an image": [
            { image: "missing" },
            {},
            [/^image must be an image .* has \(got 17\): doctl compute image list-user/],
        ],
        "an image of an old Flatcar": [
            { image: { ...flatcar, name: "flatcar-stable-4230.2.3" } },
            {},
            [/^image must be Flatcar 4459 or newer, not 4230\.2\.3: .* \(got 17, flatcar-stable-4230\.2\.3\)$/],
        ],
        "an image by its slug": [
            { image: "missing" },
            { image: "ubuntu-99" },
            [/^image must .* \(got ubuntu-99\): doctl compute image list-distribution/],
        ],
        "an image in the region": [
            { image: { ...flatcar, regions: ["nyc3"] } },
            {},
            [
                /^image must be available in fra1 \(got 17, flatcar, which is in nyc3\): doctl compute image-action transfer 17 --region fra1$/,
            ],
        ],
        "an image that is ready": [
            { image: { ...flatcar, status: "pending" } },
            {},
            [/^image must be available \(got 17, flatcar, which is pending\)$/],
        ],
        "disks that are large enough for the image": [
            { image: { ...flatcar, minDiskSize: 100 } },
            {},
            [
                /^controllers\.size must be a size with a disk of at least 100 GB, which the image needs, such as s-4vcpu-8gb \(got s-2vcpu-4gb with 80 GB\)$/,
                /^workerPools\[0\]\.size must be .*, such as s-4vcpu-8gb \(got s-2vcpu-2gb with 80 GB\)$/,
            ],
        ],
        "SSH keys": [
            {},
            { sshKeys: ["42", "43", "3b:16"] },
            [/^sshKeys\[1\] must be a key of the account, which has 42 \(mine\) \(got 43\)$/],
        ],
        "SSH keys at all": [{ sshKeys: [] }, {}, [/which has none: doctl compute ssh-key import adds one \(got 42\)$/]],
        "room for the droplets": [
            { dropletLimit: 4 },
            {},
            [
                /^the account's droplet limit must be at least 5, 2 exist and 3 are to be created \(got 4\): request a higher/,
            ],
        ],
    };
    for (const [what, [found, more, messages]] of Object.entries(wrong)) {
        it(`includes ${what}`, () => {
            const all = problems(found, more);
            assert.equal(all.length, messages.length, all.join("\n"));
            for (const [index, message] of messages.entries()) assert.match(all[index]!, message);
        });
    }

    for (const [of, message] of [
        ["s-2vcpu-4", /must be a size in fra1, such as s-1vcpu-1gb, .* \(got s-2vcpu-4\)$/],
        ["s-2vcpu-8gb", /must be a size in fra1, such as s-2vcpu-4gb, s-4vcpu-8gb, .* \(got s-2vcpu-8gb\)$/],
        ["c-2", /must be a size in fra1, such as s-2vcpu-4gb, .* \(got c-2, which is in nyc3\)$/],
        ["m-2vcpu-16gb", /must be a size in fra1, .* \(got m-2vcpu-16gb, sold out\)$/],
    ] as const) {
        it(`includes sizes in the region: not ${of}, but those near it`, () => {
            const other = droplets.map((each) => ({ ...each, size: of }));
            const [first, ...others] = problemsOf(desired, other, good);
            assert.match(first!, message);
            // One message per option, not per droplet.
            assert.equal(others.length, 1);
        });
    }

    it("is nothing for droplets that exist", () => {
        const tags = ["c"];
        const existing = [
            { name: "c-controller-0", size: "s-2vcpu-4gb", disk: 80, tags },
            { name: "c-a-0", size: "s-1vcpu-1gb", disk: 25, tags },
            { name: "c-a-1", size: "s-2vcpu-2gb", disk: 60, tags },
        ];
        const of = (all: typeof existing) =>
            newDroplets(cluster, digitalOcean, all).map(({ node, resized }) => `${node}${resized ? " resized" : ""}`);
        assert.deepEqual(of(existing), ["c-a-0 resized", "c-a-1"]);
        const ofOthers = existing.map((each) => ({ ...each, tags: ["other"] }));
        assert.deepEqual(of(ofOthers), ["c-controller-0", "c-a-0", "c-a-1"]);
    });

    it("is only a size for droplets that get another one", () => {
        const resized = newDroplets(cluster, { ...digitalOcean, recreate: [] }, [
            { name: "c-controller-0", size: "s-2vcpu-4gb", disk: 80, tags: ["c"] },
            { name: "c-a-0", size: "s-1vcpu-1gb", disk: 25, tags: ["c"] },
            { name: "c-a-1", size: "s-2vcpu-2gb", disk: 60, tags: ["c"] },
        ]);
        const gone: Partial<Found> = { image: "missing", sshKeys: [], dropletLimit: 1 };
        assert.deepEqual(problemsOf(desired, resized, { ...good, ...gone }), []);
    });
});

describe("a droplet's disk", () => {
    const [cpu1, cpu2] = ["s-1vcpu-1gb", "s-2vcpu-2gb"];
    const offers = [
        { slug: cpu1, disk: 25 },
        { slug: cpu2, disk: 60 },
    ].map((each) => ({ ...each, available: true, regions: ["fra1"], vcpus: 1, memory: 1024 }));
    const resizedTo = (size: string, disk: number) =>
        problemsOf(
            { region: "fra1", image: "17", sshKeys: [], domain: "example.com" },
            [{ node: "c-a-0", option: "workerPools[0].size", size, resized: { size: cpu2, disk } }],
            {
                sizes: offers,
            },
        );

    it("stays as large as it is, whatever its size was", () => {
        assert.deepEqual(resizedTo(cpu1, 60), [
            "workerPools[0].size must be a size with a disk of at least 60 GB, which c-a-0 has with s-2vcpu-2gb (got s-1vcpu-1gb with 25 GB): choose a size with such a disk, or list c-a-0 in recreate",
        ]);
        // Its disk did not grow with its size.
        assert.deepEqual(resizedTo(cpu1, 25), []);
        assert.deepEqual(resizedTo(cpu2, 25), []);
    });
});
