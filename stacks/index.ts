import { cloud } from "./config";
import { local } from "./local";

const stacks = { local };

module.exports = stacks[cloud(Object.keys(stacks) as (keyof typeof stacks)[])]();
