import { cloud } from "./config";

/** Loaded when it is wanted: the SDK of a cloud takes time. */
const stacks = {
    local: () => (require("./local") as typeof import("./local")).local(),
    aws: () => (require("./aws") as typeof import("./aws")).aws(),
    digitalocean: () => (require("./digitalocean") as typeof import("./digitalocean")).digitalocean(),
};

module.exports = stacks[cloud(Object.keys(stacks) as (keyof typeof stacks)[])]();
