import type { Contract } from "./contract";
import {
    csiAttacher,
    csiLivenessProbe,
    csiNodeDriverRegistrar,
    csiProvisioner,
    csiResizer,
    csiSnapshotter,
} from "./storage";

/** Containers of a driver's Deployment. */
export const csiController = (driver: Contract, attacher = csiAttacher) => ({
    driver,
    provisioner: csiProvisioner,
    attacher,
    resizer: csiResizer,
    snapshotter: csiSnapshotter,
    "liveness-probe": csiLivenessProbe,
});

/** Containers of a driver's DaemonSet. */
export const csiNode = (driver: Contract) => ({
    driver,
    "node-driver-registrar": csiNodeDriverRegistrar,
    "liveness-probe": csiLivenessProbe,
});
