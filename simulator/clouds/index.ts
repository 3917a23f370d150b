import { aws } from "./aws/on-paper";
import { digitalocean } from "./digitalocean/on-paper";

/**
 * The simulated clouds, with their answers in a dry run. The folder of each also has `main.ts`, its provider, and
 * `services`, what its machines can query.
 */
export const simulatedClouds = { aws, digitalocean };

export type CloudName = keyof typeof simulatedClouds;
