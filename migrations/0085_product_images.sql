-- An image of a product, kept as logos are: by its hash, and deleted when nothing of the merchant's uses it.
alter table products add column image_file text;
alter table products add constraint products_merchant_id_image_file_fkey
  foreign key (merchant_id, image_file) references logos (merchant_id, file_name) not valid;
alter table products validate constraint products_merchant_id_image_file_fkey;
create index products_by_image on products (merchant_id, image_file) where image_file is not null;
