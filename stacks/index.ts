import { cloud } from "./config";
import { keptName } from "./kept-name";

/** Loaded when it is wanted: the SDK of a cloud takes time. */
const stacks = {
    local: (name: string) => (require("./local") as typeof import("./local")).local(name),
    aws: (name: string) => (require("./aws") as typeof import("./aws")).aws(name),
    digitalocean: (name: string) => (require("./digitalocean") as typeof import("./digitalocean")).digitalocean(name),
};

/** The stack's outputs. */
async function main() {
    const stack = stacks[cloud(Object.keys(stacks) as (keyof typeof stacks)[])];
    return stack(await keptName());
}

module.exports = main();
