import type { startServices as real } from "../services/start";

/** In the place of services' start: no machine is there to ask. */
export const startServices: typeof real = () => ({ folder: "", ready: Promise.resolve() });
