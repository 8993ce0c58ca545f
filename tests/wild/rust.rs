// Rust's standard library, which synchronises by atomics and futexes of its own.  The argument names the case.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock};
use std::thread;

fn mutex() {
    let n = Arc::new(Mutex::new(0));
    let other = Arc::clone(&n);
    let t = thread::spawn(move || *other.lock().unwrap() += 1);
    *n.lock().unwrap() += 1;
    t.join().unwrap();
    assert_eq!(*n.lock().unwrap(), 2);
}

// Locks in two orders.
fn lock_order() {
    let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
    let (c, d) = (Arc::clone(&a), Arc::clone(&b));
    let t = thread::spawn(move || {
        let _first = c.lock().unwrap();
        let _second = d.lock().unwrap();
    });
    {
        let _first = b.lock().unwrap();
        let _second = a.lock().unwrap();
    }
    t.join().unwrap();
}

// The lock is released between reading and writing.
fn lost_update() {
    let n = Arc::new(Mutex::new(0));
    let other = Arc::clone(&n);
    let add = |m: &Mutex<i32>| {
        let old = *m.lock().unwrap();
        *m.lock().unwrap() = old + 1;
    };
    let t = thread::spawn(move || add(&other));
    add(&n);
    t.join().unwrap();
    assert_eq!(*n.lock().unwrap(), 2);
}

// A counter that is read and written in two steps, each of them atomic.
fn lost_store(order: (Ordering, Ordering)) {
    let n = Arc::new(AtomicUsize::new(0));
    let other = Arc::clone(&n);
    let add = move |a: &AtomicUsize| {
        let old = a.load(order.0);
        a.store(old + 1, order.1);
    };
    let t = thread::spawn(move || add(&other));
    add(&n);
    t.join().unwrap();
    assert_eq!(n.load(Ordering::SeqCst), 2);
}

fn atomics() {
    let n = Arc::new(AtomicUsize::new(0));
    let other = Arc::clone(&n);
    let t = thread::spawn(move || other.fetch_add(1, Ordering::Relaxed));
    n.fetch_add(1, Ordering::Relaxed);
    t.join().unwrap();
    assert_eq!(n.load(Ordering::SeqCst), 2);
}

// A condition that is set before it is signalled; `check`: it is looked at before waiting.
fn condvar(check: bool) {
    let p = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&p);
    let t = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let mut ready = p.0.lock().unwrap();
    if check {
        while !*ready {
            ready = p.1.wait(ready).unwrap();
        }
    } else {
        ready = p.1.wait(ready).unwrap();
    }
    drop(ready);
    t.join().unwrap();
}

fn rwlock() {
    let n = Arc::new(RwLock::new((0, 0)));
    let other = Arc::clone(&n);
    let t = thread::spawn(move || {
        let mut both = other.write().unwrap();
        both.0 += 1;
        both.1 += 1;
    });
    let both = *n.read().unwrap();
    assert_eq!(both.0, both.1);
    t.join().unwrap();
}

// What was read is written after another thread may have written.
fn rwlock_update() {
    let n = Arc::new(RwLock::new(0));
    let other = Arc::clone(&n);
    let add = |l: &RwLock<i32>| {
        let old = *l.read().unwrap();
        *l.write().unwrap() = old + 1;
    };
    let t = thread::spawn(move || add(&other));
    add(&n);
    t.join().unwrap();
    assert_eq!(*n.read().unwrap(), 2);
}

fn mpsc() {
    let (to, from) = channel();
    let t = thread::spawn(move || to.send(7).unwrap());
    assert_eq!(from.recv().unwrap(), 7);
    t.join().unwrap();
}

// Each of two threads waits for the other's message before it sends its own.
fn mpsc_cycle() {
    let (to, from) = channel::<i32>();
    let (back_to, back_from) = channel::<i32>();
    let t = thread::spawn(move || {
        let _got = from.recv();
        let _ = back_to.send(1);
    });
    let _got = back_from.recv();
    let _ = to.send(1);
    t.join().unwrap();
}

// Messages of two senders come in any order.
fn mpsc_order() {
    let (to, from) = sync_channel(2);
    let second = to.clone();
    let t = thread::spawn(move || to.send(1).unwrap());
    second.send(2).unwrap();
    assert_eq!(from.recv().unwrap(), 1);
    t.join().unwrap();
}

fn once() {
    static START: Once = Once::new();
    static N: AtomicUsize = AtomicUsize::new(0);
    let init = || {
        START.call_once(|| {
            N.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(N.load(Ordering::SeqCst), 1);
    };
    let t = thread::spawn(init);
    init();
    t.join().unwrap();
}

// Each of two initialisations needs the other one.
fn once_cycle() {
    static A: Once = Once::new();
    static B: Once = Once::new();
    let t = thread::spawn(|| A.call_once(|| B.call_once(|| {})));
    B.call_once(|| A.call_once(|| {}));
    t.join().unwrap();
}

// The flag is set before what it announces.
fn once_early() {
    static DONE: AtomicBool = AtomicBool::new(false);
    static N: AtomicUsize = AtomicUsize::new(0);
    let init = || {
        if !DONE.swap(true, Ordering::SeqCst) {
            N.store(1, Ordering::SeqCst);
        }
        assert_eq!(N.load(Ordering::SeqCst), 1);
    };
    let t = thread::spawn(init);
    init();
    t.join().unwrap();
}

fn scoped() {
    let n = AtomicUsize::new(0);
    thread::scope(|s| {
        s.spawn(|| n.fetch_add(1, Ordering::SeqCst));
        s.spawn(|| n.fetch_add(1, Ordering::SeqCst));
    });
    assert_eq!(n.load(Ordering::SeqCst), 2);
}

// Each of two scoped threads reads and writes in two steps.
fn scoped_update() {
    let n = AtomicUsize::new(0);
    let add = || {
        let old = n.load(Ordering::SeqCst);
        n.store(old + 1, Ordering::SeqCst);
    };
    thread::scope(|s| {
        s.spawn(add);
        s.spawn(add);
    });
    assert_eq!(n.load(Ordering::SeqCst), 2);
}

// The last owner may take the value; `wait`: the other one is gone by then.
fn arc(wait: bool) {
    let a = Arc::new(7);
    let other = Arc::clone(&a);
    let t = thread::spawn(move || drop(other));
    if wait {
        t.join().unwrap();
    }
    assert_eq!(Arc::try_unwrap(a), Ok(7));
}

fn park() {
    static FLAG: AtomicBool = AtomicBool::new(false);
    let main = thread::current();
    let t = thread::spawn(move || {
        FLAG.store(true, Ordering::SeqCst);
        main.unpark();
    });
    while !FLAG.load(Ordering::SeqCst) {
        thread::park();
    }
    t.join().unwrap();
}

// unpark() comes before the flag is set, and only once.
fn park_early() {
    static FLAG: AtomicBool = AtomicBool::new(false);
    let main = thread::current();
    let t = thread::spawn(move || {
        main.unpark();
        FLAG.store(true, Ordering::SeqCst);
    });
    while !FLAG.load(Ordering::SeqCst) {
        thread::park();
    }
    t.join().unwrap();
}

// A flag that is only stored and loaded.
fn flag() {
    static READY: AtomicBool = AtomicBool::new(false);
    static DATA: AtomicUsize = AtomicUsize::new(0);
    let t = thread::spawn(|| {
        DATA.store(7, Ordering::Relaxed);
        READY.store(true, Ordering::Release);
    });
    while !READY.load(Ordering::Acquire) {
        std::hint::spin_loop();
    }
    assert_eq!(DATA.load(Ordering::Relaxed), 7);
    t.join().unwrap();
}

fn barrier(waiting: usize) {
    let b = Arc::new(Barrier::new(waiting));
    let other = Arc::clone(&b);
    let t = thread::spawn(move || other.wait().is_leader());
    b.wait();
    t.join().unwrap();
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("mutex") => mutex(),
        Some("lock_order") => lock_order(),
        Some("lost_update") => lost_update(),
        Some("lost_store") => lost_store((Ordering::SeqCst, Ordering::SeqCst)),
        Some("lost_relaxed") => lost_store((Ordering::Relaxed, Ordering::Relaxed)),
        Some("atomics") => atomics(),
        Some("condvar") => condvar(true),
        Some("lost_wakeup") => condvar(false),
        Some("rwlock") => rwlock(),
        Some("rwlock_update") => rwlock_update(),
        Some("mpsc") => mpsc(),
        Some("mpsc_cycle") => mpsc_cycle(),
        Some("mpsc_order") => mpsc_order(),
        Some("once") => once(),
        Some("once_cycle") => once_cycle(),
        Some("once_early") => once_early(),
        Some("scoped") => scoped(),
        Some("scoped_update") => scoped_update(),
        Some("arc") => arc(true),
        Some("arc_shared") => arc(false),
        Some("park") => park(),
        Some("park_early") => park_early(),
        Some("flag") => flag(),
        Some("barrier") => barrier(2),
        Some("barrier_short") => barrier(3),
        _ => std::process::exit(2),
    }
}
