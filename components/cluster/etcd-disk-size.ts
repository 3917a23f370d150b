import { invalid } from "./validate";

/**
 * Size of the disk that a controller's etcd has on a cloud. Unit: GiB.
 *
 * A store of etcd's quota (4 GiB) has room on it three times: itself, a copy while it is defragmented, and what a restore
 * put aside.
 */
const defaultSize = 20;

/** Throws `controllers.etcdDiskSize must be <legal>, got <value>`. */
export function requireEtcdDiskSize(size: number = defaultSize): number {
    if (!Number.isInteger(size) || size < 10 || size > 16_384) {
        throw invalid("controllers.etcdDiskSize", "a whole number of GiB from 10 to 16384", size);
    }
    return size;
}
