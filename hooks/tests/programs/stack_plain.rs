// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Rust, optimised: 100 boxes by rust_site, called through a closure, and again while a panic is caught.
use std::hint::black_box;
use std::panic;

#[no_mangle]
#[inline(never)]
pub extern "C" fn rust_site(count: usize) {
    for _ in 0..count {
        black_box(Box::new([black_box(0u8); 24]));
    }
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn rust_outer(count: usize) {
    let call: Box<dyn Fn(usize)> = Box::new(|number| {
        rust_site(number);
        black_box(());
    });
    black_box(&call)(count);
    black_box(());
}

fn main() {
    rust_outer(100);
    panic::set_hook(Box::new(|_| {}));
    let caught = panic::catch_unwind(|| panic!("on purpose"));
    if caught.is_err() {
        rust_outer(50);
    }
}
